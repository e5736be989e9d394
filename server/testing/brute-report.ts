import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { pageReport, ReportRow } from '#contract/reports.ts';
import type { Db } from '#server/db/database.ts';
import { type ReportDays, reportDayOfDraw } from './report-day.ts';

/*
 * What the report should say, worked out from single lines as they were seen after each act: nothing of it comes from counters.
 */

type Asked = Partial<Input<typeof pageReport>>;
type Amount = 'stake' | 'payout' | 'refund' | 'rebate' | 'unsettled' | 'writtenOff';
type Amounts = Readonly<Partial<Record<Amount, Decimal.Value>>>;

/** Something that counts: on which day, of whom, and for what. */
interface Counted extends Amounts {
  readonly day: string;
  readonly userId: number;
  readonly gameId: number;
  readonly playWayId: number;
  readonly agents: readonly number[];
  /** The slip whose placing this is. */
  readonly slipId?: number;
}

interface SeenLine {
  readonly id: number;
  readonly slipId: number;
  readonly userId: number;
  readonly gameId: number;
  readonly playWayId: number;
  readonly agents: readonly { readonly id: number }[];
  readonly drawSeconds: number;
  readonly status: string;
  readonly stake: string;
  readonly payout: string;
  readonly refund: string;
}

/** Lines of slips that count at all. */
async function seenLines(db: Db): Promise<SeenLine[]> {
  const { rows } = await sql<SeenLine>`
    select l.id, l."slipId", s."userId", s."gameId", l."playWayId", s.agents, extract(epoch from s."drawTime")::float8 as "drawSeconds",
      l.status, l.stake, l.payout, l.refund
    from slip_line l join slip s on s.id = l."slipId" where not s."testAccount" order by l.id`.execute(db);
  return rows;
}

const waits = ({ status }: SeenLine): boolean => status === 'PENDING' || status === 'HELD';
const isGivenBack = ({ status }: SeenLine): boolean => status === 'VOID' || status === 'CANCELLED';

/** A report kept by looking: `look` after each act, with the day it was done on. */
export function bruteReport(days: ReportDays) {
  const counted: Counted[] = [];
  const closed = new Set<string>();
  const known = new Map<number, SeenLine & { readonly day: string }>();
  const dayOf = (day: string, today: string): string => (closed.has(day) ? today : day);

  function noteChange(line: SeenLine, today: string): void {
    const { userId, gameId, playWayId } = line;
    const of = { userId, gameId, playWayId, agents: line.agents.map(({ id }) => id) };
    const before = known.get(line.id);
    const own = before?.day ?? dayOf(reportDayOfDraw(line.drawSeconds, days), today);
    known.set(line.id, { ...line, day: own });
    if (!before) {
      const { slipId, stake } = line;
      counted.push({ ...of, day: own, slipId, stake, unsettled: waits(line) ? stake : 0 });
      return;
    }
    const unsettled = (waits(line) ? 1 : 0) - (waits(before) ? 1 : 0);
    const day = dayOf(own, today);
    if (unsettled !== 0) counted.push({ ...of, day, unsettled: new Decimal(line.stake).times(unsettled) });
    const payout = new Decimal(line.payout).minus(before.payout);
    const refund = new Decimal(line.refund).minus(before.refund);
    if (payout.isZero() && refund.isZero()) return;
    const isAct = isGivenBack(line) || isGivenBack(before);
    counted.push({ ...of, day: isAct ? today : day, payout, refund });
  }

  return {
    close: (day: string) => closed.add(day),
    count: (one: Counted) => counted.push({ ...one, day: dayOf(one.day, one.day) }),
    isClosed: (day: string) => closed.has(day),
    look: async (db: Db, today: string) => {
      for (const line of await seenLines(db)) noteChange(line, today);
    },
    days: () => [...new Set(counted.map(({ day }) => day))].toSorted(),
    /** The rows and totals of a report, by their keys. */
    told: (asked: Asked) => toldOf(counted, asked),
  };
}

const NONE = -1;

function keysOf(one: Counted, { groupBy, agentId }: Asked): string[] {
  if (groupBy === 'DAY') return [one.day];
  if (groupBy === 'USER') return [String(one.userId)];
  if (groupBy === 'AGENT') {
    const below = agentId === undefined ? one.agents : one.agents.slice(0, one.agents.indexOf(agentId) + 1);
    return below.length > 0 ? below.map(String) : ['0'];
  }
  const id = groupBy === 'GAME' ? one.gameId : one.playWayId;
  return [id === NONE ? '0' : String(id)];
}

const fits = (one: Counted, { range, gameId, playWayId, userId, agentId }: Asked): boolean =>
  (!range || (one.day >= range[0] && one.day <= range[1])) &&
  [undefined, one.gameId].includes(gameId) &&
  [undefined, one.playWayId].includes(playWayId) &&
  [undefined, one.userId].includes(userId) &&
  (agentId === undefined || one.agents.includes(agentId));

const amounts: readonly Amount[] = ['stake', 'payout', 'refund', 'rebate', 'unsettled', 'writtenOff'];

/** What some of it comes to, as text. */
function comesTo(all: readonly Counted[]): Omit<ReportRow, 'key' | 'name'> {
  const sum = Object.fromEntries(
    amounts.map((name) => [name, all.reduce((total, one) => total.plus(one[name] ?? 0), new Decimal(0))]),
  );
  const { stake = new Decimal(0), payout = 0, refund = 0, rebate = 0 } = sum;
  const text = (value: Decimal.Value = 0) => {
    const places = Math.max(2, new Decimal(value).decimalPlaces());
    return new Decimal(value).toFixed(places);
  };
  const [turnover, result] = [stake.minus(refund), stake.minus(refund).minus(payout).minus(rebate)];
  const placed = all.flatMap(({ slipId, userId }) => (slipId === undefined ? [] : [{ slipId, userId }]));
  return {
    slips: new Set(placed.map(({ slipId }) => slipId)).size,
    players: new Set(placed.map(({ userId }) => userId)).size,
    stake: text(stake),
    turnover: text(turnover),
    payout: text(payout),
    refund: text(refund),
    rebate: text(rebate),
    result: text(result),
    rate: turnover.isZero() ? null : result.times(100).div(turnover).toFixed(2, Decimal.ROUND_HALF_UP),
    unsettled: text(sum.unsettled),
    writtenOff: text(sum.writtenOff),
  };
}

function toldOf(counted: readonly Counted[], asked: Asked) {
  const found = counted.filter((one) => fits(one, asked));
  const pairs = found.flatMap((one) => keysOf(one, asked).map((key) => ({ key, one })));
  const groups = [...Map.groupBy(pairs, ({ key }) => key)];
  return {
    rows: new Map(groups.map(([key, all]) => [key, comesTo(all.map(({ one }) => one))])),
    totals: comesTo(found),
  };
}
