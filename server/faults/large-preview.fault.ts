import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { foresee } from '#server/features/settlements/correct.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import {
  buildBettors,
  buildPhase,
  buildSlips,
  claimResults,
  recordResult,
} from '#server/testing/build-slips.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';

// SLIPS=5000 for a quick look.
const SLIPS = Number(process.env.SLIPS ?? 100_000);
const AT_ONCE = 1_000;
const MOST_DELAY_MS = 250;
const MOST_MEMORY_MB = 150;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** Many players, one of whom has a twentieth of the slips. */
async function buildCrowd() {
  const { db } = database;
  const phase = await buildPhase(db);
  const users = await buildBettors(db, Math.ceil(SLIPS / 5));
  const [busy = 0] = users;
  const slipAt = (place: number) => ({
    userId: place % 20 === 0 ? busy : (users[place % users.length] ?? 0),
    lines: [
      { rules: 'first' as const, selection: String(place % 10), unitStake: '2' },
      { rules: 'size' as const, selection: place % 2 ? '大' : '小', unitStake: `1.${1_000 + (place % 500)}` },
    ],
  });
  for (let from = 0; from < SLIPS; from += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, SLIPS - from) }, (_, place) => from + place);
    await buildSlips(db, phase, places.map(slipAt));
    if (from === 0) await sql`analyze slip, slip_line`.execute(database.owner);
  }
  return phase;
}

it(`a preview over ${SLIPS} slips lets others work meanwhile and keeps little in memory`, async () => {
  const { db } = database;
  const phase = await buildCrowd();
  const recordId = await recordResult(db, phase, '9,3,5,5,5');
  await claimResults(db, recordId, ['1,3,5,5,5']);
  await settleDue(db);
  const own = connect(database.url, { timeZone: 'Asia/Shanghai', max: 2 });
  const wanted = { recordId, result: '1,3,5,5,5' };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  const { preview } = await foresee(own, wanted);
  const seconds = (performance.now() - began) / 1_000;
  delay.disable();
  clearInterval(watch);
  const [p99, worst] = [delay.percentile(99) / 1e6, delay.max / 1e6];
  const grown = (most - before) / 2 ** 20;
  console.log(
    `${SLIPS} slips foreseen in ${seconds.toFixed(1)} s: loop delay p99 ${p99.toFixed(0)} ms, most ${worst.toFixed(0)} ms; memory +${grown.toFixed(0)} MB`,
  );
  expect(preview.items).toHaveLength(200);
  expect(p99).toBeLessThan(MOST_DELAY_MS);
  expect(grown).toBeLessThan(MOST_MEMORY_MB);
  expect((await foresee(own, wanted)).preview).toEqual(preview);
  await own.destroy();
});
