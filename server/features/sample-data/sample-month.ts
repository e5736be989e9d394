import type { ChangeType } from '../ledger/ledger-store.ts';
import type { Dice } from './dice.ts';
import type { SamplePerson } from './sample-people.ts';
import type { Bookmaker, SampleSlip } from './sample-slips.ts';

/** A deposit or withdrawal; `decided` is absent while it waits for an operator. Amounts are in hundredths. */
export interface SampleOrder {
  kind: 'deposit' | 'withdrawal';
  person: number;
  cents: number;
  type: 'BANK_TRANSFER' | 'USDT_TRANSFER' | 'THIRD_PARTY';
  placed: Date;
  decided?: Date;
  passed?: boolean;
}

/** A movement; one of an order or a slip carries it instead of a number. Of a slip what it moves is exact, `cents` is about as much. */
export interface SampleMovement {
  person: number;
  changeType: ChangeType;
  cents: number;
  amount?: string;
  slip?: SampleSlip;
  at: Date;
  order?: SampleOrder;
  bizOrderNo?: string;
  desc: string | null;
}

export interface SampleMonth {
  orders: SampleOrder[];
  slips: SampleSlip[];
  movements: SampleMovement[];
}

const DAY_MS = 86_400_000;
/** Games of others, whose bets the players' site reports. */
const games = ['真人百家乐', '电子老虎机', '体育足球', '捕鱼达人', '棋牌斗地主'] as const;
const stakes = [200, 500, 1_000, 2_000, 5_000, 10_000, 20_000] as const;
const payTypes = ['BANK_TRANSFER', 'BANK_TRANSFER', 'THIRD_PARTY', 'USDT_TRANSFER'] as const;
const DECIDED_WITHIN_MINUTES = 90;

const minutesLater = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * 60_000);

/** Of so many bets slips are placed. */
const SLIPS = 0.85;

/** What a month is lived by: until when and how long, and where slips are placed. */
interface Ground {
  readonly now: Date;
  readonly days: number;
  readonly bookmaker: Bookmaker | undefined;
}

/** One player's month, day by day, never spending what is not there. */
class Life {
  readonly orders: SampleOrder[] = [];
  readonly slips: SampleSlip[] = [];
  readonly movements: SampleMovement[] = [];
  readonly #dice: Dice;
  readonly #person: number;
  readonly #now: Date;
  readonly #bookmaker: Bookmaker | undefined;
  #cents = 0;
  #bets = 0;

  constructor(dice: Dice, person: number, { now, bookmaker }: Ground) {
    this.#dice = dice;
    this.#person = person;
    this.#now = now;
    this.#bookmaker = bookmaker;
  }

  #move(changeType: ChangeType, cents: number, at: Date, rest: Partial<SampleMovement> = {}): void {
    const sign = changeType === 'BET' || changeType === 'WITHDRAW' ? -1 : 1;
    this.#cents += sign * cents;
    this.movements.push({ person: this.#person, changeType, cents, at, desc: null, ...rest });
  }

  #order(kind: SampleOrder['kind'], cents: number, placed: Date): SampleOrder {
    const decided = minutesLater(placed, this.#dice.between(2, DECIDED_WITHIN_MINUTES));
    const waits = decided > this.#now;
    const passed = this.#dice.chance(0.93);
    const order: SampleOrder = {
      ...{ kind, person: this.#person, cents, placed },
      type: this.#dice.pick(payTypes),
      ...(waits ? {} : { decided, passed }),
    };
    this.orders.push(order);
    return order;
  }

  /** Pays in; the first time with a present. Answers when the money is there. */
  payIn(at: Date): Date {
    const order = this.#order('deposit', this.#dice.pick([10_000, 20_000, 50_000, 100_000, 200_000]), at);
    if (!order.decided || !order.passed) return at;
    const isFirst = this.movements.length === 0;
    this.#move('RECHARGE', order.cents, order.decided, { order });
    const after = minutesLater(order.decided, 1);
    if (isFirst) this.#move('RECHARGE_GIVE', Math.round(order.cents / 50), after, { desc: '首充赠送 2%' });
    return minutesLater(after, 1);
  }

  /** Places a slip with a draw that takes bets; tells when that was drawn. */
  #placeSlip(at: Date): Date | undefined {
    const better = { person: this.#person, at, money: Math.floor(this.#cents / 100) };
    const slip = this.#bookmaker?.(this.#dice, better);
    if (!slip) return undefined;
    this.slips.push(slip);
    this.#move('BET', slip.stake * 100, slip.placed, { slip });
    for (const [changeType, amount] of [
      ['WIN', slip.payout],
      ['BET_REFUND', slip.refund],
    ] as const)
      if (Number(amount) > 0)
        this.#move(changeType, Math.floor(Number(amount) * 100), slip.settled, { slip, amount });
    return slip.settled;
  }

  /** Bets on a game of others; about nineteen twentieths of the stakes come back as wins. Tells when that was over. */
  #betElsewhere(at: Date): Date | undefined {
    const stake = this.#dice.pick(stakes);
    if (stake > this.#cents) return undefined;
    const bizOrderNo = `S${String(this.#person).padStart(3, '0')}${String(this.#bets++).padStart(5, '0')}`;
    const desc = this.#dice.pick(games);
    this.#move('BET', stake, at, { bizOrderNo, desc });
    const drawn = minutesLater(at, this.#dice.between(3, 9));
    if (this.#dice.chance(0.48) && drawn < this.#now)
      this.#move('WIN', Math.round((stake * 196) / 100), drawn, { bizOrderNo, desc });
    return drawn;
  }

  /** A round of bets, most of them slips. */
  play(from: Date, rounds: number): void {
    let at = from;
    for (let i = 0; i < rounds && at < this.#now; i++) {
      const over = this.#dice.chance(SLIPS) ? this.#placeSlip(at) : this.#betElsewhere(at);
      at = minutesLater(over ?? at, this.#dice.between(1, 5));
    }
  }

  /** Takes out most of what is there. */
  payOut(at: Date): void {
    const cents = Math.floor((this.#cents * this.#dice.between(50, 95)) / 10_000) * 100;
    if (cents < 10_000) return;
    const order = this.#order('withdrawal', cents, at);
    if (order.decided && order.passed) this.#move('WITHDRAW', cents, order.decided, { order });
    // What waits is set aside when it is placed; nothing of it may be played with.
    else if (!order.decided) this.#cents -= cents;
  }

  /** An order of the last hour that no operator has seen to yet. */
  await(kind: SampleOrder['kind']): void {
    const cents =
      kind === 'deposit'
        ? this.#dice.pick([10_000, 30_000, 88_800])
        : Math.floor(this.#cents / 20_000) * 10_000;
    if (cents < 10_000) return;
    if (kind === 'withdrawal') this.#cents -= cents;
    const placed = minutesLater(this.#now, -this.#dice.between(1, 55));
    this.orders.push({ kind, person: this.#person, cents, placed, type: this.#dice.pick(payTypes) });
  }

  give(changeType: 'RETURN' | 'REBATE', at: Date, staked: number): void {
    const cents = Math.floor(staked / (changeType === 'RETURN' ? 500 : 250));
    if (cents > 0 && at < this.#now)
      this.#move(changeType, cents, at, { desc: changeType === 'RETURN' ? '昨日返点' : '上周返水' });
  }

  get cents(): number {
    return this.#cents;
  }

  stakedSince(time: Date): number {
    return this.movements
      .filter((m) => m.changeType === 'BET' && m.at >= time)
      .reduce((sum, m) => sum + m.cents, 0);
  }
}

function live(dice: Dice, person: SamplePerson, place: number, ground: Ground): Life {
  const life = new Life(dice, place, ground);
  const { now, days } = ground;
  for (let day = days; day >= 0; day--) {
    const morning = new Date(now.getTime() - day * DAY_MS - 8 * 3_600_000 + dice.between(0, 180) * 60_000);
    if (morning < person.joined || !dice.chance(0.12 + 0.3 * person.zeal)) continue;
    let at = morning;
    if (life.cents < 5_000) at = life.payIn(at);
    life.play(at, dice.between(2, 5));
    const noon = minutesLater(morning, 300);
    life.give('RETURN', noon, life.stakedSince(morning));
    if (life.cents > 60_000 && dice.chance(0.5)) life.payOut(minutesLater(noon, dice.between(5, 170)));
    if (day % 7 === 0)
      life.give('REBATE', minutesLater(noon, 179), life.stakedSince(minutesLater(morning, -7 * 1440)));
  }
  if (dice.chance(0.08)) life.await('deposit');
  if (dice.chance(0.12)) life.await('withdrawal');
  return life;
}

/** A month of these people: orders, slips and movements in the order of time, none later than `now`. */
export function sampleMonth(dice: Dice, people: readonly SamplePerson[], ground: Ground): SampleMonth {
  const { now } = ground;
  const lives = people.map((person, place) => live(dice, person, place, ground));
  const slips = lives.flatMap((life) => life.slips);
  slips.sort((a, b) => a.placed.getTime() - b.placed.getTime());
  const orders = lives.flatMap((life) => life.orders).filter(({ placed }) => placed <= now);
  const movements = lives.flatMap((life) => life.movements).filter(({ at }) => at <= now);
  orders.sort((a, b) => a.placed.getTime() - b.placed.getTime());
  movements.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { orders, slips, movements };
}
