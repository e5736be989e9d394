import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleDue } from '#server/features/settlements/settle.ts';
import { buildBettors, buildPhase, buildSlips, recordResult } from '#server/testing/build-slips.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { ownerOf } from '#server/testing/owner-of.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { cleanAll } from './cleaning.ts';

const forGood = [
  ...['account_history', 'account_debt', 'draw_record', 'deposit'],
  ...['slip', 'slip_line', 'slip_rules', 'slip_settlement', 'settlement'],
] as const;
const guarded = [
  ...['account_history', 'account_debt', 'draw_record'],
  ...['slip', 'slip_line', 'slip_rules', 'slip_settlement', 'report_entry'],
] as const;

let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  const phase = await buildPhase(db);
  const [userId = 0] = await buildBettors(db, 1);
  const line = { rules: 'first', selection: '9', unitStake: '2' } as const;
  await buildSlips(db, phase, [{ userId, lines: [line] }]);
  await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  await sql`select from post_entries(array[${userId}]::bigint[], array['RECHARGE'], array[5]::numeric[], array['old'], array[null],
    times => array[now() - interval '20 years'])`.execute(db);
  // More than is there, which is owed.
  await sql`select from post_entries(array[${userId}]::bigint[], array['WIN_REVERSAL'], array[1000000]::numeric[], array['owed'], array[null],
    array['OWING'], array[now() - interval '20 years'])`.execute(db);
  await sql`insert into deposit ("userId", amount, type, "bankOrderNo", "createTime", status, "reviewTime")
    values (${userId}, 5, 'BANK_TRANSFER', 'old', now() - interval '20 years', 'FAIL', now() - interval '20 years')`.execute(
    db,
  );
  // As if all of it were twenty years old.
  await sql`alter table slip disable trigger slip_final`.execute(ownerOf(db));
  for (const table of ['slip', 'draw_record'])
    await sql`update ${sql.table(table)} set "createTime" = "createTime" - interval '20 years'`.execute(db);
  await sql`alter table slip enable trigger slip_final`.execute(ownerOf(db));
  await sql`update param_setting set value = case key when 'retention.changeRecordDays' then '90' else '7' end
    where key like 'retention.%'`.execute(db);
});
afterAll(() => database.drop());

const counts = async () =>
  Promise.all(
    forGood.map(async (table) => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
        db,
      );
      return [table, rows[0]?.n ?? 0] as const;
    }),
  );

it('the ledger, orders, draws, slips and their settlements stay, however old, while the log of sign-ins goes', async () => {
  await sql`insert into login_record ("createTime", "userName", outcome, address, msg)
    select now() - interval '8 days', 'old', 'SUCCESS', '10.0.0.1', '' from generate_series(1, 20)`.execute(
    db,
  );
  const before = await counts();
  for (const [table, count] of before) expect([table, count > 0]).toEqual([table, true]);
  expect(
    await cleanAll({ db, log: { info: () => {}, warn: () => {}, error: () => {} } }, { batch: 7 }),
  ).toEqual([]);
  expect(await counts()).toEqual(before);
  const { rows } = await sql`select from login_record where "userName" = 'old'`.execute(db);
  expect(rows).toEqual([]);
  await expectProven(db);
});

it.each(guarded)('%s cannot be deleted from by the server', async (table) => {
  for (const statement of [`delete from ${table}`, `truncate ${table} cascade`])
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: '42501' });
});
