import { roundedUp, tenThousandths } from './decimal.ts';
import { compareOdds } from './lowest.ts';
import type { OddsRow, Play } from './play.ts';
import { partsOfRule, type Selection } from './selection.ts';
import { singleChances } from './single-chances.ts';
import { ballsOf, type Chances, unitChances } from './unit-chances.ts';

/** What a row returns on average of one unit, rounded up to four places; null where it cannot be told. */
export interface RowReturn {
  readonly number: string;
  /** The exact chance that a unit wins this row, as a fraction. */
  readonly chance: { readonly won: bigint; readonly total: bigint } | null;
  readonly returned: string | null;
}

/** What a play way returns: each of its rows, and in all what the best of its bets returns. */
export interface Returns {
  readonly rows: readonly RowReturn[];
  readonly best: string | null;
}

const unknown = ({ number }: OddsRow): RowReturn => ({ number, chance: null, returned: null });

function greatest(rows: readonly RowReturn[]): string | null {
  const told = rows.flatMap(({ returned }) => (returned === null ? [] : [returned]));
  return told.length === 0 ? null : told.reduce((best, each) => (compareOdds(each, best) > 0 ? each : best));
}

/** Σ probability x odds; what is given back counts 1. */
const returnOf = (paid: bigint, pushed: bigint, total: bigint): string =>
  roundedUp(paid + pushed * tenThousandths('1'), total * tenThousandths('1'));

function singleReturns(play: Play, date: string): Returns {
  const chances = singleChances(play, date);
  const rows = play.rules.rows.map((row): RowReturn => {
    const told = chances(row.number);
    if (!told || told.total === 0n) return unknown(row);
    const { won, pushed, total } = told;
    const returned = returnOf(won * tenThousandths(row.odds), pushed, total);
    return { number: row.number, chance: { won, total }, returned };
  });
  return { rows, best: greatest(rows) };
}

/** Of the numbers of a pool those that come most easily first. */
function easiestFirst(play: Play, pool: readonly string[], date: string): string[] {
  if (play.units?.seen) {
    const chances = singleChances(play, date);
    const draws = (number: string) => Number(chances(number)?.won ?? 0n);
    return pool.toSorted((one, other) => draws(other) - draws(one));
  }
  const part = play.space?.parts[0];
  if (!play.units || !part) return [...pool];
  const balls = new Map(pool.map((number) => [number, ballsOf({ play, date, part }, number)]));
  return pool.toSorted((one, other) => (balls.get(other) ?? 0) - (balls.get(one) ?? 0));
}

/** A unit of a rule, the one that wins most easily where units differ; of a group part by part. */
function usualUnit(play: Play, date: string): Selection {
  const { rule } = play;
  const used = new Set<string>();
  if (rule === null) return [];
  const pools = partsOfRule(rule).map(({ pool }) => pool);
  const sizes =
    rule.kind === 'GROUP'
      ? rule.parts.map(({ choose }) => choose)
      : partsOfRule(rule).map(({ choose }) => choose);
  const isApart = rule.kind === 'GROUP' || rule.kind === 'PLACES';
  return sizes.map((choose, part) => {
    const pool = pools[part] ?? pools[0] ?? [];
    const free = isApart ? pool.filter((number) => !used.has(number)) : easiestFirst(play, pool, date);
    const numbers = free.slice(0, choose);
    for (const number of numbers) used.add(number);
    return { bankers: [], numbers };
  });
}

/** By outcome: one unit may win one row or another, and returns all of them together. */
function outcomeReturns(play: Play, date: string): Returns {
  const chances = unitChances(play, usualUnit(play, date), date);
  if (!chances || chances.total === 0n) return { rows: play.rules.rows.map(unknown), best: null };
  const { won, pushed, total } = chances;
  const draws = (row: OddsRow) => won.get(row.number) ?? (play.outcomes ? 0n : (won.get('') ?? 0n));
  const paid = (row: OddsRow) => draws(row) * tenThousandths(row.odds);
  const rows = play.rules.rows.map(
    (row): RowReturn => ({
      ...{ number: row.number, chance: { won: draws(row), total } },
      returned: returnOf(paid(row), 0n, total),
    }),
  );
  const all = play.rules.rows.map(paid).reduce((sum, each) => sum + each, 0n);
  return { rows, best: returnOf(all, pushed, total) };
}

const winsOf = ({ won }: Chances): bigint => won.values().reduce((sum, draws) => sum + draws, 0n);

/** By the lowest row: of the units that a row pays the one that wins most easily. */
function lowestReturns(play: Play, date: string): Returns {
  const { rule } = play;
  const rows = play.rules.rows.map((row): RowReturn => {
    const mates = play.rules.rows.filter(
      (other) => other.number !== row.number && compareOdds(other.odds, row.odds) >= 0,
    );
    const choose = rule?.kind === 'COMBINATION' ? rule.choose : 0;
    const others = easiestFirst(
      play,
      mates.map(({ number }) => number),
      date,
    ).slice(0, choose - 1);
    if (others.length < choose - 1) return unknown(row);
    const chances = unitChances(play, [{ bankers: [], numbers: [row.number, ...others] }], date);
    if (!chances || chances.total === 0n) return unknown(row);
    const won = winsOf(chances);
    const returned = returnOf(won * tenThousandths(row.odds), chances.pushed, chances.total);
    return { number: row.number, chance: { won, total: chances.total }, returned };
  });
  return { rows, best: greatest(rows) };
}

/** What every row of a play way returns on average. `date` is the day of the draw, `YYYY-MM-DD`: animals are those of its year. */
export function returnsOf(play: Play, date: string): Returns {
  if (play.rule === null) return singleReturns(play, date);
  return play.lowest ? lowestReturns(play, date) : outcomeReturns(play, date);
}
