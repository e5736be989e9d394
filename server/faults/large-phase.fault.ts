import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBetLimit, updateBetLimit } from '#contract/bet-limits.ts';
import { getExposureOutlook, listExposure } from '#contract/exposure.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { pageSlips } from '#contract/slips.ts';
import { connect } from '#server/db/database.ts';
import { wrongExposure } from '#server/features/bets-proof/exposure-proof.ts';
import { problemsOfPhase } from '#server/features/bets-proof/limit-proof.ts';
import { foldExposure } from '#server/features/exposure/exposure-store.ts';
import { buildDice, type Dice } from '#server/testing/build-dice.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { copySlip } from '#server/testing/many-slips.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// SLIPS=20000 for a quick look.
const SLIPS = Number(process.env.SLIPS ?? 1_000_000);
const KINDS = 20;
const FIRST = 500;
const AT_ONCE = 5_000;
const PLAYERS = 2_000;
const ROUNDS = 15;
/** Placing runs at most so long, whatever else goes on. */
const MOST_PLACING_MS = 1_000;
/** A list call and this are the same work for the server; see the figures in bench/README.md. */
const MOST_AGAINST_A_LIST = 2;

let server: TestServer;
let db: TestServer['db'];
let dice: Dice;
let users: number[] = [];
beforeAll(async () => {
  server = await startTestServer();
  db = server.db;
  dice = await buildDice(db, { to: 86_400 });
  users = await buildBettors(db, PLAYERS, '100000000');
});
afterAll(() => server?.close());

const timed = async <T>(work: () => Promise<T>): Promise<[ms: number, value: T]> => {
  const began = performance.now();
  const value = await work();
  return [performance.now() - began, value];
};
const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;

/** A slip that differs from the others by its kind: of single numbers, of several to a unit, of all sorts. */
async function place(kind: number, userId = users[0] ?? 0): Promise<number> {
  const { gameId, phase, playWays } = dice;
  const face = String(1 + (kind % 6));
  const lines = [
    { playWayId: playWays.size, selection: kind % 2 ? '大' : '小', unitStake: `${10 + kind}.5` },
    { playWayId: playWays.sum, selection: String(3 + (kind % 16)), unitStake: '2' },
    { playWayId: playWays.face, selection: face, unitStake: '1.2345' },
    { playWayId: playWays.straight, selection: `${face}|1,2|${1 + ((kind * 5) % 6)}`, unitStake: '1' },
  ].slice(kind % 3);
  const wanted = { gameId, phase, userId, bizNo: randomUUID(), lines };
  for (;;) {
    const { data, msg, code } = (await server.site().call(placeBet, wanted)).envelope;
    if (data) return data.slipId;
    if (code !== 503) throw new Error(String(msg));
  }
}

it(`${SLIPS} slips of a phase: exposure is what they come to, kept and read in time; a limit counts them while others bet`, {
  timeout: 3_600_000,
}, async () => {
  const admin = await server.admin();
  const { gameId, phase } = dice;
  const kinds: number[] = [];
  for (let kind = 0; kind < KINDS; kind++) kinds.push(await place(kind));
  const [built] = await timed(async () => {
    for (let done = KINDS, turn = 0; done < SLIPS; turn++) {
      // So many at once are found by their keys only once it is known how many there are.
      const count = turn === 0 ? FIRST : Math.min(AT_ONCE, SLIPS - done);
      await copySlip(db, kinds[turn % KINDS] ?? 0, users, count);
      if (turn === 0) await sql`analyze slip, slip_line`.execute(server.database.owner);
      done += count;
    }
  });
  const [folding, folded] = await timed(() => foldExposure(db));
  await sql`vacuum analyze slip, slip_line, exposure, exposure_delta, exposure_choice`.execute(
    server.database.owner,
  );

  // Exposure and a list of slips in turns, so that noise meets both.
  const times: Record<'numbers' | 'outlook' | 'list', number[]> = { numbers: [], outlook: [], list: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.list.push((await timed(() => admin.call(pageSlips, { currentPage: 1, pageSize: 20 })))[0]);
    times.numbers.push((await timed(() => admin.call(listExposure, { gameId, phase })))[0]);
    times.outlook.push((await timed(() => admin.call(getExposureOutlook, { gameId, phase })))[0]);
  }
  const [list, numbers, outlook] = [median(times.list), median(times.numbers), median(times.outlook)];
  // As bets:verify does, which no time limit stops.
  const patient = connect(server.database.url, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
  const [proving, wrong] = await timed(() => wrongExposure(patient));
  console.log(
    `${SLIPS} slips in ${(built / 1_000).toFixed(0)} s; ${folded} deltas folded in ${folding.toFixed(0)} ms; ` +
      `numbers ${numbers.toFixed(1)} ms, outlook ${outlook.toFixed(1)} ms, a list ${list.toFixed(1)} ms: ` +
      `${(numbers / list).toFixed(2)} and ${(outlook / list).toFixed(2)}; recomputed in ${(proving / 1_000).toFixed(1)} s`,
  );
  expect(wrong).toEqual([]);
  expect((await admin.call(listExposure, { gameId, phase })).envelope.data?.length).toBeGreaterThan(10);
  expect(numbers).toBeLessThan(list * MOST_AGAINST_A_LIST);

  // Limits that the phase's slips are far below, first set and then changed; bettors go on meanwhile.
  const most = {
    gameId,
    maxUserStake: '1000000000',
    maxNumberPayout: '100000000000',
    maxLoss: '1000000000000',
  };
  let isCounting = true;
  const placing: number[] = [];
  const bettor = (async () => {
    for (let kind = 0; isCounting; kind++) {
      placing.push((await timed(() => place(kind, users[kind % PLAYERS])))[0]);
      await sleep(20);
    }
  })();
  const [setting, id] = await timed(async () => given((await admin.call(addBetLimit, most)).envelope.data));
  const [raising] = await timed(() => admin.call(updateBetLimit, { ...most, id, maxLoss: '2000000000000' }));
  isCounting = false;
  await bettor;
  console.log(
    `limits set in ${(setting / 1_000).toFixed(1)} s, raised in ${raising.toFixed(0)} ms; ${placing.length} slips meanwhile, ` +
      `${median(placing).toFixed(0)} ms in the median, ${Math.max(...placing).toFixed(0)} ms at most`,
  );
  expect(await problemsOfPhase(patient, gameId, phase)).toEqual([]);
  await patient.destroy();
  expect(placing.length).toBeGreaterThan(0);
  expect(Math.max(...placing)).toBeLessThan(MOST_PLACING_MS);
  expect(raising).toBeLessThan(setting);
});
