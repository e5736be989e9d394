import { type KeptRules, Untold } from './handlers-proof.ts';
import { type Came, cameOf, cameOfNumber, unitsOf } from './units.ts';

/** A line as the database has it. */
export interface KeptLine {
  readonly id: number;
  readonly slipId: number;
  readonly playWayId: number;
  readonly rulesId: number;
  readonly selection: string;
  readonly units: number;
  readonly unitStake: string;
  readonly stake: string;
  readonly status: string;
  readonly winningUnits: number;
  readonly pushedUnits: number;
  readonly payout: string;
  readonly refund: string;
}

/** What a line should be; amounts in ten-thousandths. */
export interface Wanted {
  readonly units: number;
  readonly winningUnits: number;
  readonly pushedUnits: number;
  readonly payout: bigint;
  readonly refund: bigint;
  readonly status: string;
}

const PLACES = 10_000n;

/** Money or odds in ten-thousandths. */
export function tenThousandths(amount: string): bigint {
  const [, sign = '', before = '0', after = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(amount) ?? [];
  const size = BigInt(before || '0') * PLACES + BigInt(`${after}0000`.slice(0, 4));
  return sign ? -size : size;
}

/** Ten-thousandths as text. */
export const amountText = (units: bigint): string =>
  `${units < 0n ? '-' : ''}${(units < 0n ? -units : units) / PLACES}.${String((units < 0n ? -units : units) % PLACES).padStart(4, '0')}`;

function valuesAt(resultIndex: string, result: string): string[] {
  const all = result.split(/[\s,，+|]+/).filter((value) => value !== '');
  if (resultIndex === '*') return all;
  return resultIndex.split(',').map((place) => {
    const value = all[Number(place)];
    if (value === undefined) throw new Untold(`结果没有位置 ${place}`);
    return value;
  });
}

function* comings(line: KeptLine, rules: KeptRules, result: string, date: string): Generator<Came> {
  const draw = { values: valuesAt(rules.latitude.resultIndex, result), date };
  const { selection } = rules;
  if (selection === null)
    for (const number of line.selection.split(rules.separator)) yield cameOfNumber(number, draw, rules);
  else for (const unit of unitsOf(line.selection, selection)) yield cameOf(unit, draw, rules);
}

/** What a draw makes of a line, unit by unit. Throws `Untold` where nothing can be told. */
export function wantedOf(line: KeptLine, rules: KeptRules, result: string, date: string): Wanted {
  let [units, winningUnits, pushedUnits, paid] = [0, 0, 0, 0n];
  const odds = new Map(rules.odds.map((row) => [row.number, tenThousandths(row.odds)]));
  const only = tenThousandths(rules.odds[0]?.odds ?? '0');
  const stake = tenThousandths(line.unitStake);
  const cut = (amount: bigint, cap: string | undefined, places = 1n) =>
    cap !== undefined && amount > tenThousandths(cap) * places ? tenThousandths(cap) * places : amount;
  for (const came of comings(line, rules, result, date)) {
    units++;
    if (came === 'push') pushedUnits++;
    else if (came !== 'lost') {
      winningUnits++;
      const unit = (came.row === '' ? only : (odds.get(came.row) ?? 0n)) * stake;
      paid += cut(unit, rules.caps?.unit, PLACES);
    }
  }
  return {
    ...{ units, winningUnits, pushedUnits },
    payout: cut(paid / PLACES, rules.caps?.line),
    refund: BigInt(pushedUnits) * stake,
    status: winningUnits > 0 ? 'WON' : pushedUnits === units ? 'PUSHED' : 'LOST',
  };
}
