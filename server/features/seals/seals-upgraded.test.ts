import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { letServerWork } from '#server/db/server-rights.ts';
import {
  buildBettors,
  buildPhase,
  buildPromise,
  buildSlips,
  recordResult,
} from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { filesAfter, landings, lay, numberOf } from '#server/testing/past-database.ts';
import { superuserOf } from '#server/testing/superuser.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { createVault } from '#server/vault.ts';
import { correctRecord } from '../draw-records/draw-record-store.ts';
import { settleDue } from '../settlements/settle.ts';
import { type Anchor, codeOf } from './anchor.ts';
import { takeAnchor } from './anchor-store.ts';
import { proveSeals } from './prove-seals.ts';
import { sealAll, sealKind } from './seal-rows.ts';

// A database that a program left behind which sealed neither rules of slips nor promises nor sources, of records that it corrected and others.

const ZONE = 'Asia/Shanghai';
const vault = createVault(Buffer.alloc(32, 'seal'));
const former = ['LEDGER', 'DEBT', 'CHANGE', 'DRAW', 'CORRECTION', 'SLIP', 'OUTCOME'] as const;
let database: TestDatabase;
let db: Db;
/** Of the role of a server that was there before. */
let beside: Db;
let admin: Db;
let promised: { gameId: number; phase: string };
let plain: number;
let corrected: number;
let anchor: Anchor;

/** What a program of before wrote when it corrected a record. */
const correctAsBefore = (on: Db, id: number, result: string, source: string) =>
  on.transaction().execute(async (tx) => {
    await sql`
      insert into draw_correction ("recordId", "operatorId", "userName", "oldResult", "newResult", reason)
      select id, 1, 'admin', result, ${result}, '更正' from draw_record where id = ${id}`.execute(tx);
    await sql`update draw_record set result = ${result}, source = ${source} where id = ${id}`.execute(tx);
  });

const prove = (on: Db) => proveSeals(on, vault, { timeZone: ZONE, anchors: [anchor] });

beforeAll(async () => {
  database = await testDatabase({ empty: true });
  db = database.db;
  await lay(
    db,
    filesAfter(landings.length).filter((file) => numberOf(file) < '0535'),
  );
  await sql`insert into game_category (name) values ('时时彩')`.execute(db);
  const phase = await buildPhase(db);
  const users = await buildBettors(db, 2);
  const line = { rules: 'first' as const, selection: '9', unitStake: '2' };
  await buildSlips(
    db,
    phase,
    users.map((userId) => ({ userId, lines: [line] })),
  );
  corrected = await recordResult(db, phase, '9,3,5,5,5');
  plain = await recordResult(db, await buildPhase(db, '4999'), '1,2,3,4,5');
  promised = await buildPhase(db, '5001', { to: 300 });
  await buildPromise(db, promised);
  await settleDue(db);
  await correctAsBefore(db, corrected, '2,3,5,5,5', '第一次更正');
  await settleDue(db);
  for (const kind of former) await sealKind(db, vault, kind);
  const taken = given(await takeAnchor(db, vault));
  const content = { ...taken, heads: taken.heads.filter(({ kind }) => former.some((one) => one === kind)) };
  anchor = { ...content, code: codeOf(vault, content) };
  beside = connect(database.url, { timeZone: ZONE, max: 1 });
  admin = superuserOf(database);
  await letServerWork(db, new URL(database.url).username);
  await migrate(db);
});
afterAll(async () => {
  await Promise.all([beside.destroy(), admin.destroy()]);
  await database.drop();
});

/** What is proven after a superuser's doing, which is undone. */
async function foundAfter(statement: string): Promise<string> {
  class Undone extends Error {}
  let said = '';
  const work = admin.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql.raw(statement).execute(tx);
    said = (await prove(tx)).problems.map(({ problem }) => problem).join('\n');
    throw new Undone();
  });
  await expect(work).rejects.toThrow(Undone);
  return said;
}

it('what was sealed before proves as it did, and all that was not is sealed', async () => {
  const before = await prove(db);
  expect(before).toMatchObject({ broken: 0, problems: [], anchors: 1 });
  expect(before.unsealed).toBeGreaterThan(0);
  await sealAll(db, vault);
  expect(await prove(db)).toMatchObject({
    ...{ broken: 0, problems: [], anchors: 1, unsealed: 0 },
    rows: before.rows + before.unsealed,
  });
});

it('what rules, promises and sources of before say is held from then on', async () => {
  const rules = `update slip_rules set rules = jsonb_set(rules, '{latitude,resultIndex}', '"1"') where "playWayName" = 'first'`;
  expect(await foundAfter(rules)).toMatch(/^注单规则第 \d+ 号（编号 \d+，.*在封存后被改动$/);
  const promise = `update draw_commitment set "createTime" = "createTime" - interval '1 hour' where phase = '5001'`;
  expect(await foundAfter(promise)).toMatch(/^开奖承诺第 1 号（编号 1，.*在封存后被改动$/);
  for (const id of [plain, corrected]) {
    const source = `update draw_record set source = '伪造来源' where id = ${id}`;
    expect(await foundAfter(source)).toMatch(
      new RegExp(`^开奖来源第 \\d+ 号（编号 ${id}，.*在封存后被改动$`),
    );
  }
  const past = `update draw_correction set "oldSource" = '伪造来源' where "recordId" = ${corrected}`;
  expect(await foundAfter(past)).toMatch(/更正的来源第 1 号（编号 1，.*在封存后被改动/);
});

it('what a server of before writes beside the new one proves, and what the new one writes after it', async () => {
  await buildPromise(beside, await buildPhase(beside, '5002', { to: 300 }));
  await correctAsBefore(beside, plain, '5,4,3,2,1', '旧程序的更正');
  await sealAll(db, vault);
  expect(await prove(db)).toMatchObject({ broken: 0, problems: [], unsealed: 0 });
  for (const [recordId, oldResult] of [
    [plain, '5,4,3,2,1'],
    [corrected, '2,3,5,5,5'],
  ] as const)
    await db.transaction().execute((tx) =>
      correctRecord(tx, {
        ...{ recordId, oldResult, newResult: '7,7,7,7,7', source: null, reason: '更正' },
        ...{ operatorId: 1, userName: 'admin' },
      }),
    );
  await sealAll(db, vault);
  expect(await prove(db)).toMatchObject({ broken: 0, problems: [], unsealed: 0 });
  expect(await foundAfter(`update draw_record set source = '伪造来源' where id = ${plain}`)).toMatch(
    /的来源 伪造来源 不是最后一次更正的 不详$/,
  );
});
