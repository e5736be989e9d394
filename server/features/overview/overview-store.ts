import { sql } from 'kysely';
import type { Overview } from '#contract/overview.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import type { At } from '../games/current-phase.ts';
import { betFigures } from './bet-figures.ts';
import { dayFigures } from './day-figures.ts';
import { alarmFigures, conflictFigure, planFigures, spiderFigures } from './draw-figures.ts';
import { netOf, orderFigures, userFigures } from './money-figures.ts';
import { readSpans } from './spans.ts';

/** Which parts of the overview an operator may see. */
export interface Visible {
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  readonly players: boolean;
  readonly plans: boolean;
  readonly conflicts: boolean;
  readonly spiders: boolean;
  readonly bets: boolean;
  readonly rebates: boolean;
}

/** What the database knows. */
type Figures = Omit<Overview, 'replica' | 'background' | 'newAddresses' | 'approvals'>;
type Moment = Pick<Overview, 'time' | 'today' | 'month'>;

/** The moment, and the day and month it lies in as clocks show them: they may skip a midnight, and lists are asked for the whole day all the same. */
export async function readMoment(db: Db): Promise<Moment> {
  const at = (moment: ReturnType<typeof sql>) => sql`to_char(${moment}, 'YYYY-MM-DD HH24:MI:SS')`;
  const spanOf = (unit: 'day' | 'month') => {
    const start = sql`date_trunc(${sql.lit(unit)}, now()::timestamp)`;
    return sql`json_build_array(${at(start)}, ${at(sql`${start} + ${sql.lit(`1 ${unit}`)}::interval - interval '1 second'`)})`;
  };
  const { rows } = await sql<Moment>`
    select ${at(sql`now()`)} as time, ${spanOf('day')} as today, ${spanOf('month')} as month`.execute(db);
  return given(rows[0]);
}

async function readEverything(db: Db, at: At): Promise<Figures> {
  const spans = await readSpans(db);
  const [moment, deposits, withdrawals, players, days, plans, alarms, conflicts, spiders, bets] =
    await Promise.all([
      readMoment(db),
      orderFigures(db, 'deposit', spans),
      orderFigures(db, 'withdrawal', spans),
      userFigures(db, spans),
      dayFigures(db, spans),
      planFigures(db, at, spans),
      alarmFigures(db),
      conflictFigure(db),
      spiderFigures(db),
      betFigures(db),
    ]);
  const net = await netOf(db, deposits, withdrawals);
  return {
    ...moment,
    deposits,
    withdrawals,
    net,
    players,
    days,
    plans,
    alarms,
    conflicts,
    spiders,
    ...bets,
  };
}

const KEPT_MS = 2_000;
const kept = new WeakMap<Db, { at: number; figures: Promise<Figures> }>();

/** All figures; read at most once in two seconds, however many operators look at once. */
function figuresOf(db: Db, at: At): Promise<Figures> {
  const last = kept.get(db);
  if (last && performance.now() - last.at < KEPT_MS) return last.figures;
  const figures = readEverything(db, at);
  kept.set(db, { at: performance.now(), figures });
  figures.catch(() => kept.delete(db));
  return figures;
}

/** The overview without what this operator may not see. */
export async function readOverview(db: Db, at: At, visible: Visible): Promise<Figures> {
  const {
    deposits,
    withdrawals,
    net,
    players,
    days,
    plans,
    alarms,
    conflicts,
    spiders,
    settlements,
    rebates,
    betsProof,
    ...moment
  } = await figuresOf(db, at);
  const both = visible.deposits && visible.withdrawals;
  const only = <T>(shown: boolean, part: T): T | null => (shown ? part : null);
  return {
    ...moment,
    deposits: only(visible.deposits, deposits),
    withdrawals: only(visible.withdrawals, withdrawals),
    net: only(both, net),
    players: only(visible.players, players),
    plans: only(visible.plans, plans),
    alarms: only(visible.plans, alarms),
    conflicts: only(visible.conflicts, conflicts),
    spiders: only(visible.spiders, spiders),
    settlements: only(visible.bets, settlements),
    rebates: only(visible.rebates, rebates),
    betsProof: only(visible.bets, betsProof),
    days: days.map((day) => ({
      day: day.day,
      deposits: only(visible.deposits, day.deposits),
      withdrawals: only(visible.withdrawals, day.withdrawals),
      net: only(both, day.net),
      players: only(visible.players, day.players),
    })),
  };
}
