import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeBefore } from '#server/testing/build-betting.ts';
import { expectMoneyOfSlips } from '#server/testing/closings.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { readLine } from '../bets/line.ts';
import { seed } from '../seed.ts';
import { bettingPlays } from '../slips/betting-plays.ts';
import { readCatalogue } from '../slips/catalogue.ts';
import { chooseOn } from './crowd-choice.ts';
import { dice } from './dice.ts';
import { BEAT_MS, placeCrowdSlip } from './sample-crowd.ts';

const PHASE_MS = 300_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ sampleData: true });
  await seed(server.db, server.config);
});
afterAll(() => server.close());

const slips = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from slip`.execute(server.db)).rows[0]?.n ?? -1;

it('bets on the game that draws by itself, a slip a beat however many servers there are', async () => {
  const { db, config } = server;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const { rows } = await sql<{ id: number }>`select id from game where name = '示例五分彩'`.execute(db);
  await closeBefore(db, rows[0]?.id ?? 0, 2);
  await lookAtPlans({ db, config, vault: createVault(config.secret), clock: () => new Date(), log });
  // A phase that is about to close is not bet on; the next one begins a moment later.
  const isClosing = () => Date.now() % PHASE_MS > PHASE_MS - 15_000;
  const isOpen = async () => {
    if (isClosing()) return false;
    await lookAtPlans({ db, config, vault: createVault(config.secret), clock: () => new Date(), log });
    return placeCrowdSlip(db, new Date());
  };
  await expect.poll(isOpen, { timeout: 30_000, interval: 200 }).toBe(true);
  const before = await slips();
  // All of them of the phase that is open, however lately that began.
  const began = Math.floor(Date.now() / PHASE_MS) * PHASE_MS;
  const beats = Array.from({ length: 20 }, (_, beat) => new Date(began + beat * BEAT_MS));
  for (const at of beats) await Promise.all([placeCrowdSlip(db, at), placeCrowdSlip(server.db, at)]);
  const placed = await slips();
  expect(placed).toBeGreaterThan(before);
  expect(placed).toBeLessThanOrEqual(before + beats.length);
  await expectMoneyOfSlips(db);
}, 60_000);

it('chooses what may be bet on, of every way to bet', async () => {
  const { rows } = await sql<{ id: number }>`select id from game where name = '示例五分彩'`.execute(
    server.db,
  );
  const catalogue = await readCatalogue(server.db, rows[0]?.id ?? 0);
  if (!catalogue) throw new Error('no game');
  const playsOf = bettingPlays(catalogue);
  const kinds = new Set(catalogue.playWays.map(({ selection }) => selection?.kind ?? 'SINGLE'));
  expect(kinds.size).toBeGreaterThan(2);
  const chance = dice(7);
  for (const playWay of catalogue.playWays)
    for (let again = 0; again < 5; again++) {
      const text = chooseOn(chance, playWay) ?? '';
      const play = playsOf(playWay.id)?.play;
      expect(play && readLine(play, text).units, `${playWay.name} ${text}`).toBeGreaterThan(0);
    }
});
