import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { correctRecord } from '#server/features/draw-records/draw-record-store.ts';
import { beginUnvoid, beginVoid } from '#server/features/settlements/voids.ts';
import {
  type BuiltSlip,
  buildBettors,
  buildPhase,
  buildSlips,
  playWays,
  recordResult,
} from '#server/testing/build-slips.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type Program, startProgram } from '#server/testing/program.ts';

// SLIPS=5000 for a quick look.
const SLIPS = Number(process.env.SLIPS ?? 100_000);
const KILL_EVERY_MS = 2_000;
const AT_ONCE = 5_000;
const act = { operatorId: 1, userName: 'admin', reason: '更正' };
const PATIENCE_MS = 20 * 60_000;

let postgres: ExternalPostgres;
let db: Db;
const servers: (Program | undefined)[] = [];
const start = () => startProgram({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
beforeAll(async () => {
  postgres = await externalPostgres();
  servers.push(await start(), await start());
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
});
afterAll(async () => {
  await db?.destroy();
  for (const server of servers) await server?.end('SIGTERM');
  await postgres?.remove();
});

const slipOf = (userId: number, place: number): BuiltSlip => ({
  userId,
  lines: [
    { rules: 'first', selection: String(place % 10), unitStake: '2' },
    { rules: 'size', selection: place % 2 ? '大' : '小', unitStake: '1.2345' },
  ],
});

/** Slips of a phase: many players, one of whom has a twentieth of them. */
async function buildCrowd() {
  const phase = await buildPhase(db);
  const users = await buildBettors(db, Math.ceil(SLIPS / 5));
  const [busy = 0] = users;
  const all = Array.from({ length: SLIPS }, (_, place) =>
    slipOf(place % 20 === 0 ? busy : (users[place % users.length] ?? 0), place),
  );
  for (let from = 0; from < all.length; from += AT_ONCE)
    await buildSlips(db, phase, all.slice(from, from + AT_ONCE));
  return phase;
}

const unfinished = async (): Promise<number> => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from settlement where status = 'RUNNING'`.execute(db);
  return rows[0]?.n ?? 0;
};

/** Kills one server after the other, at once started anew, until every settlement is through. Tells how many kills met one. */
async function killUntilDone(): Promise<number> {
  const until = Date.now() + PATIENCE_MS;
  let kills = 0;
  for (; (await unfinished()) > 0; kills++) {
    if (Date.now() > until) throw new Error('the settlement does not end');
    await sleep(KILL_EVERY_MS);
    if ((await unfinished()) === 0) return kills;
    const place = kills % servers.length;
    await servers[place]?.end('SIGKILL');
    servers[place] = await start();
  }
  return kills;
}

async function expectWhole(): Promise<void> {
  expect(await proveBets(db)).toEqual({ slips: SLIPS, broken: 0, breaks: [] });
  await expectProven(db);
}

it(`kill -9 every two seconds of two servers that settle, correct, void and restore ${SLIPS} slips: the sums are those of the recomputation`, {
  timeout: 3 * PATIENCE_MS,
}, async () => {
  const phase = await buildCrowd();
  const record = await recordResult(db, phase, '9,3,5,5,5');
  let kills = await killUntilDone();
  await expectWhole();
  const results = ['9,3,5,5,5', '4,3,5,5,5', '7,3,5,5,5'];
  for (const [place, newResult] of results.slice(1).entries()) {
    await db.transaction().execute((tx) =>
      correctRecord(tx, {
        ...{ recordId: record, oldResult: results[place] ?? '', newResult, source: '来源' },
        ...act,
      }),
    );
    kills += await killUntilDone();
    await expectWhole();
  }
  const { id } = await db
    .transaction()
    .execute((tx) => beginVoid(tx, { ...phase, playWayId: playWays.size }, act));
  kills += await killUntilDone();
  await expectWhole();
  await db.transaction().execute((tx) => beginUnvoid(tx, id, act));
  kills += await killUntilDone();
  await expectWhole();
  const { rows } = await sql<{ told: string; slips: number }>`
    select kind || ' ' || status as told, slips from settlement order by id`.execute(db);
  const kinds = ['FIRST', 'CORRECTION', 'CORRECTION', 'VOID', 'UNVOID'];
  expect(rows.map(({ told }) => told)).toEqual(kinds.map((kind) => `${kind} DONE`));
  expect(rows[0]?.slips).toBe(SLIPS);
  console.log(`${SLIPS} slips settled, corrected twice, void in part and restored, ${kills} kills meanwhile`);
  if (SLIPS >= 100_000) expect(kills).toBeGreaterThanOrEqual(kinds.length);
});
