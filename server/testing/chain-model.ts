/** Money in ten-thousandths, so that the model of a chain of corrections shares no arithmetic with what it is held against. */
export type Units = bigint;
const UNIT = 10_000n;

export const unitsOf = (amount: string): Units => {
  const [whole = '', places = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole) * UNIT + BigInt(places.padEnd(4, '0'));
  return amount.startsWith('-') ? -size : size;
};
export const textOf = (units: Units): string => `${units / UNIT}.${String(units % UNIT).padStart(4, '0')}`;

const least = (one: Units, other: Units): Units => (one < other ? one : other);

/** What a player has; see the rules of debts: whatever becomes available pays them first. */
export class Purse {
  available = 0n;
  frozen = 0n;
  debt = 0n;

  constructor(available: Units) {
    this.available = available;
  }
  copy(): Purse {
    return Object.assign(new Purse(0n), this);
  }
  give(amount: Units): void {
    this.available += amount;
    const repaid = least(this.debt, this.available);
    this.debt -= repaid;
    this.available -= repaid;
  }
  /** Takes what is there; the rest is owed. */
  takeBack(amount: Units): void {
    const taken = least(amount, this.available);
    this.available -= taken;
    this.debt += amount - taken;
  }
}

export interface ChainLine {
  readonly rules: 'first' | 'second' | 'size';
  /** What is chosen, each a unit. */
  readonly chosen: readonly string[];
  readonly unitStake: Units;
}
export interface ChainSlip {
  readonly player: number;
  readonly lines: readonly ChainLine[];
}

interface Told {
  readonly status: string;
  readonly winningUnits: number;
  readonly pushedUnits: number;
  readonly payout: Units;
  readonly refund: Units;
}
const nothing = { winningUnits: 0, pushedUnits: 0, payout: 0n, refund: 0n };
const stakeOf = ({ chosen, unitStake }: ChainLine): Units => BigInt(chosen.length) * unitStake;
export const slipStake = ({ lines }: ChainSlip): Units =>
  lines.reduce((total, line) => total + stakeOf(line), 0n);

/** What pays: 9.70 to 9.79 for the digits 0 to 9 of a place; 1.985 for big and small of the first, where a 9 gives back. */
function drawn(line: ChainLine, result: string): Told {
  const digits = result.split(',').map(Number);
  const digit = digits[line.rules === 'second' ? 1 : 0] ?? 0;
  if (line.rules === 'size' && digit === 9)
    return { ...nothing, pushedUnits: line.chosen.length, refund: stakeOf(line), status: 'PUSHED' };
  const wins = line.rules === 'size' ? (digit >= 5 ? '大' : '小') : String(digit);
  const odds = line.rules === 'size' ? 19_850n : 97_000n + 100n * BigInt(digit);
  if (!line.chosen.includes(wins)) return { ...nothing, status: 'LOST' };
  return { ...nothing, winningUnits: 1, payout: (line.unitStake * odds) / UNIT, status: 'WON' };
}

/** Whether a void covers a line of the slip at that place. */
export type Void = (place: number, line: ChainLine) => boolean;
interface Begun {
  readonly result: string | null;
  readonly voids: readonly Void[];
}

function wordOf(lines: readonly Told[]): string {
  const counting = lines.map(({ status }) => status).filter((status) => status !== 'VOID');
  if (counting.length === 0) return 'VOID';
  const first = ['PENDING', 'WON'].find((status) => counting.includes(status));
  return first ?? (counting.every((status) => status === 'PUSHED') ? 'PUSHED' : 'LOST');
}
const sum = (lines: readonly Told[], of: 'payout' | 'refund'): Units =>
  lines.reduce((total, line) => total + line[of], 0n);
const whole = (lines: readonly Told[]): Units => sum(lines, 'payout') + sum(lines, 'refund');
const isSame = (one: readonly Told[], other: readonly Told[]): boolean =>
  one.every((line, place) =>
    Object.entries(line).every(([name, value]) => Reflect.get(other[place] ?? {}, name) === value),
  );

/** A slip that a settlement would change: its place, what its player has of it before and after, and what they cannot give back. */
export interface Moved {
  readonly place: number;
  readonly before: Units;
  readonly after: Units;
  readonly shortfall: Units;
}

/** What players have and slips are, worked out step by step as the papers tell it. */
export class ChainModel {
  readonly slips: readonly ChainSlip[];
  purses: Purse[];
  lines: (readonly Told[])[];
  result: string | null = null;
  readonly voids = new Map<number, Void>();
  /** Settlements that have begun and not been worked off. */
  queue: Begun[] = [];

  constructor(balances: readonly Units[], slips: readonly ChainSlip[]) {
    this.slips = slips;
    this.purses = balances.map((balance) => new Purse(balance));
    for (const { player, lines } of slips)
      for (const line of lines) this.purse(player).available -= stakeOf(line);
    this.lines = slips.map(({ lines }) => lines.map(() => ({ ...nothing, status: 'PENDING' })));
  }

  purse(player: number): Purse {
    const purse = this.purses[player];
    if (!purse) throw new Error(`no player ${player}`);
    return purse;
  }
  begin(): void {
    this.queue.push({ result: this.result, voids: [...this.voids.values()] });
  }

  #targets({ result, voids }: Begun): (readonly Told[])[] {
    const target = (line: ChainLine, place: number): Told => {
      if (voids.some((covers) => covers(place, line)))
        return { ...nothing, refund: stakeOf(line), status: 'VOID' };
      return result === null ? { ...nothing, status: 'PENDING' } : drawn(line, result);
    };
    return this.slips.map(({ lines }, place) => lines.map((line) => target(line, place)));
  }

  /** Moves slips to a target among these purses: of each slip what is given comes first. */
  #move(begun: Begun, purses: readonly Purse[]): Moved[] {
    return this.#targets(begun).flatMap((lines, place) => {
      const [was, purse] = [this.lines[place] ?? [], purses[this.slips[place]?.player ?? -1]];
      if (isSame(lines, was) || !purse) return [];
      const moves = (['payout', 'refund'] as const).map((of) => sum(lines, of) - sum(was, of));
      const owed = purse.debt;
      for (const move of moves) if (move > 0n) purse.give(move);
      for (const move of moves) if (move < 0n) purse.takeBack(-move);
      const [before, after] = [whole(was), whole(lines)];
      return [{ place, before, after, shortfall: after < before ? purse.debt - owed : 0n }];
    });
  }

  /** What correcting to a result would move as things stand now. */
  foresee(result: string): Moved[] {
    const purses = this.purses.map((purse) => purse.copy());
    return this.#move({ result, voids: [...this.voids.values()] }, purses);
  }

  /** Works off what has begun, one after the other; gives what each has moved. */
  settle(): Moved[][] {
    const moved = this.queue.map((begun) => {
      const moves = this.#move(begun, this.purses);
      this.lines = this.#targets(begun);
      return moves;
    });
    this.queue = [];
    return moved;
  }

  /** Slips as they are, in the words of the wire. */
  told(): string[] {
    return this.lines.map(
      (lines) => `${wordOf(lines)} ${textOf(sum(lines, 'payout'))} ${textOf(sum(lines, 'refund'))}`,
    );
  }
}
