import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addBetLimit } from '#contract/bet-limits.ts';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import type { Envelope } from '#contract/envelope.ts';
import { createUser, postEntries } from '#contract/platform.ts';
import { cancelBet, getBet, placeBet } from '#contract/platform-bets.ts';
import { getCurrentPhase, listCatalogueGames, listCataloguePlayWays } from '#contract/platform-catalogue.ts';
import { pageReport } from '#contract/reports.ts';
import { requestFor } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import type { Db } from '#server/db/database.ts';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type Program, programEnvironment } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import { look, Upgrading } from '#server/testing/upgrading.ts';

// Landed programs that took bets make their databases by real starts, with a sample month of settled slips and the sample crowd, and take
// slips over the platform API, limits and a cancelled one among them; then the newest program starts on them. UPGRADES_FROM=… takes one alone.

const KEY = 'platform-key-of-the-upgrades-with-slips';
const GAME = '示例五分彩';
const root = fileURLToPath(new URL('../..', import.meta.url));
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** The states of the main branch, each the last with its migrations, from the first that placed slips on. */
function landedWithSlips(): string[] {
  if (process.env.UPGRADES_FROM) return [process.env.UPGRADES_FROM];
  const commits = git(
    'rev-list',
    '--first-parent',
    '--reverse',
    'HEAD',
    '--',
    'server/db/migrations/landed.txt',
  );
  const first = commits.findIndex(
    (commit) => git('ls-tree', '--name-only', commit, 'server/db/migrations/0216-placing.sql').join() !== '',
  );
  // The newest has nothing to be upgraded to.
  return commits.slice(first, -1);
}
const commits = landedWithSlips();

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await Upgrading.begin({ PLATFORM_API_KEY: KEY });
});
afterAll(() => upgrading.end());

/** Calls a program of the past, which may answer otherwise than the newest one declares. */
async function ask<E extends AnyEndpoint>(
  origin: string,
  token: string,
  endpoint: E,
  input: WireInput<E>,
): Promise<Envelope<Output<E>>> {
  const { method, url, contentType, body } = requestFor(endpoint, input);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(contentType ? { 'content-type': contentType } : {}),
  };
  return (await (await fetch(origin + url, { method, body, headers })).json()) as Envelope<Output<E>>;
}

async function signIn({ origin }: Program): Promise<string> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  return given((await ask(origin, '', login, { username, password })).data).access_token;
}

/** A line on a play way of the game: two numbers that have odds, or one of each place. */
function lineOn({ id, selection, odds }: Output<typeof listCataloguePlayWays>[number], turn: number) {
  if (selection?.kind === 'PLACES')
    return {
      playWayId: id,
      selection: Array(selection.places)
        .fill(turn % 10)
        .join('|'),
      unitStake: '1.5',
    };
  const numbers = odds.map(({ number }) => number);
  const chosen = [turn % numbers.length, (turn + 1) % numbers.length].map((place) => numbers[place]);
  return { playWayId: id, selection: chosen.join(','), unitStake: '2.25' };
}

/** Players who bet on the phase that is open, one of whom takes a slip back; gives the slips. */
async function bet({ origin }: Program, gameId: number): Promise<number[]> {
  const site = <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) => ask(origin, KEY, endpoint, input);
  const playWays = given((await site(listCataloguePlayWays, { id: gameId })).data).filter(
    ({ selection }) => selection === null || selection.kind === 'PLACES',
  );
  const users: number[] = [];
  for (let n = 0; n < 4; n++) {
    const userId = given((await site(createUser, { nickName: `升级前 ${n}` })).data);
    const entry = { userId, changeType: 'RECHARGE_GIVE' as const, amount: '1000', bizOrderNo: randomUUID() };
    expect((await site(postEntries, { entries: [entry] })).success).toBe(true);
    users.push(userId);
  }
  const slips: number[] = [];
  while (slips.length < 24) {
    const { phase } = given((await site(getCurrentPhase, { id: gameId })).data);
    const turn = slips.length;
    const lines = [0, 1, 2].map((n) =>
      lineOn(given(playWays[(turn * 5 + n * 7) % playWays.length]), turn + n),
    );
    const { data, msg } = await site(placeBet, {
      ...{ userId: users[turn % users.length] ?? 0, bizNo: randomUUID(), gameId },
      ...{ phase: phase ?? '', lines },
    });
    // Betting closes for half a minute before a draw.
    if (data && 'slipId' in data) slips.push(data.slipId);
    else if (phase !== null && !/封盘|不存在|未开盘/.test(msg ?? '')) throw new Error(String(msg));
    else await new Promise((over) => setTimeout(over, 1_000));
  }
  expect((await site(cancelBet, { slipId: slips.at(-1) ?? 0, reason: '玩家要求' })).success).toBe(true);
  return slips;
}

interface Lived {
  readonly gameId: number;
  readonly slips: readonly number[];
  readonly hasLimits: boolean;
}

/** All slips as they are kept, apart from what settling does to those that are open. */
const slipsIn = async (db: Db) => {
  const { rows } = await sql<{ id: number; slip: string }>`
    select s.id, concat_ws(' ', s."bizNo", s."userId", s."gameId", s.phase, s.status, s.stake, s.payout, s.refund, s."createTime", s."settleTime", (
      select string_agg(concat_ws(' ', l.id, l."playWayId", l.selection, l.units, l."unitStake", l.stake, l.odds, l."maxPayout", l.status,
        l."winningUnits", l."pushedUnits", l.payout, l.refund, md5(r.rules::text)), '; ' order by l.id)
      from slip_line l join slip_rules r on r.id = l."rulesId" where l."slipId" = s.id)) as slip
    from slip s where s.status not in ('PENDING', 'HELD') order by s.id`.execute(db);
  return new Map(rows.map(({ id, slip }) => [id, slip]));
};

/** Until it holds; beside others, of which `expect.poll` does not know whose it is. */
const waited = (holds: () => Promise<void>) => vi.waitFor(holds, { timeout: 400_000, interval: 2_000 });
/** So many settled slips a database has at least before it is upgraded. */
const LEAST_SETTLED = 20;

async function live(past: Program, url: string): Promise<Lived> {
  const games = given((await ask(past.origin, KEY, listCatalogueGames, {})).data);
  const gameId = given(games.find(({ name }) => name === GAME)).id;
  const limits = {
    gameId,
    maxUserStake: '900',
    maxNumberPayout: '500000',
    maxLoss: '900000',
    payoutCapUser: '40',
  };
  const limited = await ask(past.origin, await signIn(past), addBetLimit, limits);
  const lived = { gameId, hasLimits: limited.success, slips: await bet(past, gameId) };
  if ((await look(url, slipsIn)).size >= LEAST_SETTLED) return lived;
  // Without a sample month of slips these are the first: they are settled, and others are left open.
  const settled = () => look(url, async (db) => (await slipsIn(db)).size);
  await waited(async () => expect(await settled()).toBeGreaterThanOrEqual(LEAST_SETTLED));
  return { ...lived, slips: await bet(past, gameId) };
}

const yesterday = () => new Date(Date.now() - 16 * 3_600_000).toISOString().slice(0, 10);

/** The report up to yesterday by a grouping, as text; nothing of a program without one. */
async function reportOf(
  origin: string,
  token: string,
  groupBy: 'DAY' | 'PLAY_WAY' | 'USER',
  to = yesterday(),
) {
  const asked = { groupBy, range: ['2000-01-01', to] as [string, string], pageSize: 999 };
  const { data } = await ask(origin, token, pageReport, asked);
  const figures = (row: Record<string, unknown>) =>
    ['key', 'slips', 'players', 'stake', 'payout', 'refund', 'result'].map((name) => row[name]).join(' ');
  return data && 'totals' in data ? [...data.data.map(figures), figures(data.totals)] : undefined;
}

const groupings = ['DAY', 'PLAY_WAY', 'USER'] as const;
const reportsOf = async (program: Program) => {
  const token = await signIn(program);
  const all = [];
  for (const groupBy of groupings) all.push(await reportOf(program.origin, token, groupBy));
  return all;
};

async function expectRight(url: string): Promise<number> {
  return look(url, async (db) => {
    await expectProven(db);
    const { slips, breaks } = await proveBets(db);
    expect(breaks).toEqual([]);
    return slips;
  });
}

/** What was there is as it was, and the phase that was open goes on: its limits hold, and its slips are settled. */
async function goOn(newest: Program, { gameId, slips, hasLimits }: Lived, url: string): Promise<void> {
  const site = testClient(newest.origin, KEY);
  const slipOf = async (slipId: number) => given((await site.call(getBet, { slipId })).envelope.data);
  if (hasLimits) {
    const { userId, phase, lines } = await slipOf(slips[0] ?? 0);
    const line = given(lines.find(({ selection }) => !selection.includes('|')));
    const tooMuch = { playWayId: line.playWayId, selection: line.selection, unitStake: '450' };
    const wanted = { userId, gameId, phase, bizNo: randomUUID(), lines: [tooMuch] };
    expect((await site.call(placeBet, wanted)).envelope.msg).toMatch(
      /超过单期用户投注限额 900|已封盘|可用余额不足/,
    );
  }
  const open = async () => {
    const statuses = await Promise.all(slips.map(async (id) => (await slipOf(id)).status));
    return statuses.filter((status) => status === 'PENDING').length;
  };
  await waited(async () => expect(await open()).toBe(0));
  expect((await slipOf(slips.at(-1) ?? 0)).status).toBe('CANCELLED');
  const settled = await Promise.all(slips.slice(0, -1).map(slipOf));
  expect(new Set(settled.map(({ status }) => status)).isSubsetOf(new Set(['WON', 'LOST', 'PUSHED']))).toBe(
    true,
  );
  await expectRight(url);
}

// Side by side: most of each is waiting for the draws of its open phase.
test.concurrent.each(commits.map((commit) => [commit.slice(0, 7), commit] as const))(
  'slips of the program of %s are as they were after the upgrade, prove with all that counts them, and settle',
  async (name, commit) => {
    const url = await upgrading.makeDatabase(`slips_${name}`);
    const { lived, reports } = await upgrading.livePast(commit, url, async (past) => {
      const lived = await live(past, url);
      return { lived, reports: await reportsOf(past) };
    });
    const before = await look(url, slipsIn);
    expect(before.size).toBeGreaterThanOrEqual(LEAST_SETTLED);
    const newest = await upgrading.startNewest(url);
    try {
      const proven = await expectRight(url);
      const after = await look(url, slipsIn);
      expect([...before].filter(([id, slip]) => after.get(id) !== slip)).toEqual([]);
      const now = await reportsOf(newest);
      for (const [place, told] of reports.entries()) if (told) expect(now[place]).toEqual(told);
      const all = await reportOf(newest.origin, await signIn(newest), 'DAY', '2999-12-31');
      expect(all?.length).toBeGreaterThan(1);
      await goOn(newest, lived, url);
      console.log(
        `${name}: ${proven} slips proven right after, ${before.size} of them settled before; limits ${lived.hasLimits ? 'hold' : 'were none'}, reports ${reports[0] ? 'are the same' : 'came to be'}`,
      );
    } finally {
      await newest.end('SIGTERM');
    }
  },
);
