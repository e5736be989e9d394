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
  readonly isCancelled: boolean;
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

/** What a void covers: of lines those of a play way, of slips those at these places; all where nothing is said. */
export interface Void {
  readonly rules?: ChainLine['rules'];
  readonly places?: readonly [from: number, to: number];
  /** It is of one slip alone. */
  readonly isOfSlip?: boolean;
}
const covers = ({ rules, places }: Void, place: number, line: ChainLine): boolean =>
  (rules === undefined || rules === line.rules) &&
  (places === undefined || (place >= places[0] && place <= places[1]));
/** Whether a void leaves nothing for another to do. */
const includes = (one: Void, other: Void): boolean =>
  !one.isOfSlip &&
  (one.rules === undefined || one.rules === other.rules) &&
  (one.places === undefined ||
    (other.places !== undefined && one.places[0] <= other.places[0] && one.places[1] >= other.places[1]));

/** A settlement that has begun, and what it has moved by now. */
export interface Begun {
  readonly result: string | null;
  readonly voids: readonly Void[];
  readonly moved: Moved[];
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

/** A slip that is to be another: its place, what it is and will be. */
interface Difference {
  readonly place: number;
  readonly was: readonly Told[];
  readonly lines: readonly Told[];
}

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
  readonly purses: readonly Purse[];
  readonly lines: (readonly Told[])[];
  result: string | null = null;
  /** Voids in force by the settlements that brought them. */
  readonly voids = new Map<number, Void>();
  /** Settlements that have begun and not been worked off. */
  queue: Begun[] = [];
  /** Slips that wait for a look, and whether they were let go; of the last settlement that was worked off. */
  readonly held = new Map<number, boolean>();
  #holding: Begun = { result: null, voids: [], moved: [] };

  constructor(balances: readonly Units[], slips: readonly ChainSlip[]) {
    this.slips = slips;
    this.purses = balances.map((balance) => new Purse(balance));
    for (const { player, lines, isCancelled } of slips)
      for (const line of isCancelled ? [] : lines) this.purse(player).available -= stakeOf(line);
    this.lines = slips.map(({ lines, isCancelled }) =>
      lines.map((line) =>
        isCancelled
          ? { ...nothing, refund: stakeOf(line), status: 'CANCELLED' }
          : { ...nothing, status: 'PENDING' },
      ),
    );
  }

  purse(player: number): Purse {
    const purse = this.purses[player];
    if (!purse) throw new Error(`no player ${player}`);
    return purse;
  }
  begin(): Begun {
    const begun = { result: this.result, voids: [...this.voids.values()], moved: [] };
    this.queue.push(begun);
    return begun;
  }
  /** Whether settlements have nothing to do: what waits for a look is for a person. */
  get isQuiet(): boolean {
    return this.queue.length === 0 && ![...this.held.values()].includes(true);
  }

  #differences({ result, voids }: Begun, places: readonly number[] = [...this.slips.keys()]): Difference[] {
    const target = (line: ChainLine, place: number): Told => {
      if (voids.some((each) => covers(each, place, line)))
        return { ...nothing, refund: stakeOf(line), status: 'VOID' };
      return result === null ? { ...nothing, status: 'PENDING' } : drawn(line, result);
    };
    return places.flatMap((place) => {
      const [slip, was] = [this.slips[place], this.lines[place] ?? []];
      if (!slip || slip.isCancelled) return [];
      const lines = slip.lines.map((line) => target(line, place));
      return isSame(lines, was) && !this.held.has(place) ? [] : [{ place, was, lines }];
    });
  }

  /** Moves a difference in its player's purse: what is given comes first. */
  #move({ place, was, lines }: Difference, purses: readonly Purse[]): Moved[] {
    const purse = purses[this.slips[place]?.player ?? -1];
    if (!purse) return [];
    const moves = (['payout', 'refund'] as const).map((of) => sum(lines, of) - sum(was, of));
    const owed = purse.debt;
    for (const move of moves) if (move > 0n) purse.give(move);
    for (const move of moves) if (move < 0n) purse.takeBack(-move);
    const [before, after] = [whole(was), whole(lines)];
    return [{ place, before, after, shortfall: after < before ? purse.debt - owed : 0n }];
  }

  /** What correcting to a result would move as things stand now, wins that would be held included. */
  foresee(result: string): Moved[] {
    const purses = this.purses.map((purse) => purse.copy());
    const begun = { result, voids: [...this.voids.values()], moved: [] };
    return this.#differences(begun).flatMap((each) => this.#move(each, purses));
  }

  #work(begun: Begun, differences: readonly Difference[], mostWon: Units): void {
    this.#holding = begun;
    for (const each of differences) {
      const { place, was, lines } = each;
      const won = sum(lines, 'payout');
      const isPaid = won > sum(was, 'payout');
      if (isPaid && mostWon > 0n && won > mostWon && !this.held.get(place)) {
        this.held.set(place, false);
        continue;
      }
      this.held.delete(place);
      begun.moved.push(...this.#move(each, this.purses));
      this.lines[place] = lines;
    }
  }

  /** Works off what was let go and what has begun, one after the other; who wins more than this is held, unless it is 0. */
  settle(mostWon: Units): void {
    const released = [...this.held].flatMap(([place, isReleased]) => (isReleased ? [place] : []));
    const inOrder = released.toSorted((one, other) => one - other);
    this.#work(this.#holding, this.#differences(this.#holding, inOrder), mostWon);
    for (const begun of this.queue) {
      // It looks at every slip anew: what an earlier one let go is held again.
      for (const place of this.held.keys()) this.held.set(place, false);
      this.#work(begun, this.#differences(begun), mostWon);
    }
    this.queue = [];
  }

  /** Lets slips that wait for a look go: all, or one. Gives how many. */
  release(place?: number): number {
    const waiting = [...this.held].filter(([at, isReleased]) => !isReleased && at === (place ?? at));
    for (const [at] of waiting) this.held.set(at, true);
    return waiting.length;
  }

  /** Whether a void has something to cover, and none in force has covered it. */
  mayVoid(wanted: Void): boolean {
    if ([...this.voids.values()].some((each) => includes(each, wanted))) return false;
    return this.slips.some(
      ({ lines, isCancelled }, place) =>
        !isCancelled &&
        lines.some((line, n) => covers(wanted, place, line) && this.lines[place]?.[n]?.status !== 'VOID'),
    );
  }
  /** Whether one slip may be void: while it waits for a draw that nobody knows. */
  mayVoidSlip(place: number): boolean {
    const isVoid = [...this.voids.values()].some(({ isOfSlip, places }) => isOfSlip && places?.[0] === place);
    return this.result === null && this.wordOf(place) === 'PENDING' && !isVoid;
  }

  wordOf(place: number): string {
    if (this.slips[place]?.isCancelled) return 'CANCELLED';
    return this.held.has(place) ? 'HELD' : wordOf(this.lines[place] ?? []);
  }
  /** Slips as they are, in the words of the wire. */
  told(): string[] {
    return this.lines.map(
      (lines, place) =>
        `${this.wordOf(place)} ${textOf(sum(lines, 'payout'))} ${textOf(sum(lines, 'refund'))}`,
    );
  }
}
