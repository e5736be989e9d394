import { sql } from 'kysely';
import { generateDrawPlans } from '#contract/draw-plans.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { previewRebates, releaseRebates } from '#contract/rebates.ts';
import { pageReport } from '#contract/reports.ts';
import { connect } from '#server/db/database.ts';
import { prepareRun } from '#server/features/rebates/prepare-run.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { buildGame } from './build-game.ts';
import { buildBettors, buildSlips, recordResult } from './build-slips.ts';
import { given } from './given.ts';
import { startTestServer, type TestServer } from './test-server.ts';

// A program that `inEveryZone` starts: what it says may depend neither on the zone of its process nor on that of a database.

/** The plans of a game that draws every hour, on some days: phase and moments in epoch seconds. */
async function plans(server: TestServer, { days }: { days: readonly string[] }) {
  const admin = await server.admin();
  const gameId = await buildGame(server.db, {
    ...{ openRate: 3_600, phaseRule: 'DAILY', phase: '1', phaseTime: new Date('2026-03-02T00:00:00Z') },
  });
  for (const day of days) {
    const window = { beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` };
    given((await admin.call(generateDrawPlans, { gameId, ...window })).envelope.data);
  }
  const { rows } = await sql<{ phase: string; from: number; to: number }>`
    select phase, extract(epoch from "startTime")::float8 as from, extract(epoch from "endTime")::float8 as to
    from draw_plan where "gameId" = ${gameId} order by "startTime"`.execute(server.db);
  return rows;
}

interface Slips {
  /** When days of the report begin. */
  readonly dayStart: string;
  /** For each slip the moments at which its betting begins and its draw is, in epoch seconds; they are placed a minute after the first. */
  readonly slips: readonly { readonly from: number; readonly to: number; readonly stake: string }[];
  /** The days whose rebates are released one after the other. */
  readonly days: readonly string[];
}

/** What the report says of slips by their days, and what the rebates of each day are. */
async function reports(server: TestServer, { dayStart, slips, days }: Slips) {
  const { db } = server;
  const admin = await server.admin();
  await sql`update param_setting set value = ${dayStart} where key = 'report.dayStart'`.execute(db);
  const [userId = 0] = await buildBettors(db, 1, '1000000000');
  const gameId = await buildGame(db, {
    ...{ name: '平台日的边上', phase: '1', status: false },
    numbers: Array.from({ length: 10 }, (_, number) => String(number)),
  });
  await sql`
    insert into rebate_rate (level, "categoryId", rate, "validFrom")
    select 0, "categoryId", 0.01, ${days[0]}::date from game where id = ${gameId}`.execute(db);
  for (const [place, { from, to, stake }] of slips.entries()) {
    const phase = { gameId, phase: String(5_000 + place) };
    await sql`
      insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, ${phase.phase}, to_timestamp(${from}), to_timestamp(${to}), 'OPENING')`.execute(db);
    await buildSlips(db, phase, [{ userId, lines: [{ rules: 'first', selection: '9', unitStake: stake }] }]);
    await recordResult(db, phase, '3,3,5,5,5');
  }
  await settleDue(db);
  const report = async (filter: WireInput<typeof pageReport>) =>
    given((await admin.call(pageReport, { ...filter, pageSize: 100 })).envelope.data);
  const before = await report({ groupBy: 'DAY' });
  const rebates = [];
  for (const day of days) {
    await prepareRun(db);
    const { turnover, rebate, payees, unsettled, items, digest } = given(
      (await admin.call(previewRebates, { day })).envelope.data,
    );
    const released = (await admin.call(releaseRebates, { day, digest })).envelope;
    if (!released.success) throw new Error(released.msg ?? '');
    const paid = items.map(({ kind, due, amount, rest }) => ({ kind, due, amount, rest }));
    rebates.push({ day, turnover, rebate, payees, unsettled, paid });
  }
  const range: [string, string] = [given(days[0]), given(days[0])];
  return { days: before.data, firstDay: await report({ groupBy: 'GAME', range }), rebates };
}

const works = { plans, reports };
export type Work = keyof typeof works;
/** What a work is given and says. */
export interface Zoned<W extends Work> {
  readonly input: Parameters<(typeof works)[W]>[1];
  readonly said: Awaited<ReturnType<(typeof works)[W]>>;
}

interface Order<W extends Work> {
  readonly work: W;
  readonly timeZone: string;
  readonly input: Zoned<W>['input'];
  readonly urls: readonly { readonly url: string; readonly ownerUrl: string }[];
}

async function answer<W extends Work>({ work, timeZone, input, urls }: Order<W>): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { url, ownerUrl } of urls) {
    const [db, owner] = [connect(url, { timeZone }), connect(ownerUrl, { timeZone })];
    const server = await startTestServer({ timeZone }, { url, ownerUrl, db, owner, drop: async () => {} });
    answers.push(await works[work](server, input as never));
    await server.close();
    await Promise.all([db.destroy(), owner.destroy()]);
  }
  return answers;
}

if (import.meta.main) {
  const answers = await answer(JSON.parse(process.argv[2] ?? ''));
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  process.stdout.write(JSON.stringify({ zone, answers }));
}
