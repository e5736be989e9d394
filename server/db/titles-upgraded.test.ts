import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { knownParams } from '#server/params/known-params.ts';
import { filesAfter, landings, lay, numberOf } from '#server/testing/past-database.ts';
import { testDatabase } from '#server/testing/test-database.ts';
import { migrate } from './migrate.ts';

it('titles of parameters become those of today where nobody changed them, and rebates worked out stay so', async () => {
  const { db, drop } = await testDatabase({ empty: true });
  await lay(
    db,
    filesAfter(landings.length).filter((file) => numberOf(file) < '0610'),
  );
  await sql`insert into param_setting (title, key, value) values
    ('每晚自动生成次日开奖计划（true 或 false）', 'draw.autoGenerate', 'false'),
    ('代理本人的注单也计返点（true 或 false）', 'rebate.ownSlips', 'true'),
    ('发件箱保留天数（至少 7，0 为永久）', 'retention.mailDays', '90'),
    ('自拟的标题（true 或 false）', 'console.watermark', 'true')`.execute(db);
  await sql`insert into rebate_run (day, "seenTime", opposing, "ownSlips") values (current_date - 1, now(), 'BOTH', true)`.execute(
    db,
  );
  await migrate(db);
  const { rows } = await sql`select key, title, value from param_setting order by id`.execute(db);
  expect(rows).toEqual([
    { key: 'draw.autoGenerate', title: knownParams['draw.autoGenerate'].title, value: 'false' },
    { key: 'rebate.ownSlips', title: knownParams['rebate.ownSlips'].title, value: 'true' },
    { key: 'retention.mailDays', title: knownParams['retention.mailDays'].title, value: '90' },
    { key: 'console.watermark', title: '自拟的标题（true 或 false）', value: 'true' },
  ]);
  const stale = async () => (await sql`select stale from rebate_run`.execute(db)).rows;
  expect(await stale()).toEqual([{ stale: false }]);
  await sql`update param_setting set title = title, value = 'false' where key = 'rebate.ownSlips'`.execute(
    db,
  );
  expect(await stale()).toEqual([{ stale: true }]);
  await drop();
});

it('what was seeded, and what waits, says the words of today', async () => {
  const { db, drop } = await testDatabase({ empty: true });
  await lay(
    db,
    filesAfter(landings.length).filter((file) => numberOf(file) < '0733'),
  );
  await sql`insert into param_setting (title, key, value) values
    ('封盘前允许平台撤单', 'bet.siteCancel', 'true'), ('玩家要等多久', 'limit.raiseWaitHours', '24'),
    ('每邀请一名有效玩家的奖励（0 为不奖励）', 'invite.reward', '0')`.execute(db);
  await sql`insert into menu (title, type, path) values
    ('设置玩家限额', 'BTN', 'user:limit:set'), ('设置玩家限额', 'BTN', 'own:limit:set')`.execute(db);
  const why = ['人工加扣款超过 1000', '提现打款超过 500.5', '提现打款一律须复核', '封盘后撤销注单一律须复核'];
  await sql`insert into approval
      ("expireTime", call, summary, release, why, input, digest, "makerId", maker, "makerSession", "makerAddress", "makerAgent")
    select now(), 'x', 'x', 'x', why, '{}', '', 1, 'x', gen_random_uuid(), 'x', 'x' from unnest(${why}::text[]) why`.execute(
    db,
  );
  await sql`update approval set status = 'REJECTED', "decideTime" = now() where why = '提现打款超过 500.5'`.execute(
    db,
  );
  await migrate(db);
  const told = async (column: string, table: string) => {
    const { rows } = await sql<{ told: string }>`
      select ${sql.ref(column)} as told from ${sql.table(table)} order by id`.execute(db);
    return rows.map((row) => row.told);
  };
  expect(await told('title', 'param_setting')).toEqual([
    knownParams['bet.siteCancel'].title,
    '玩家要等多久',
    knownParams['invite.reward'].title,
  ]);
  expect(await told('title', 'menu')).toEqual(['设置用户限额', '设置玩家限额']);
  expect(await told('why', 'approval')).toEqual([
    '人工加扣款超过 1,000.00',
    '提现打款超过 500.5',
    '提现打款一律须复核',
    '封盘后撤单一律须复核',
  ]);
  await drop();
});

it('what is a switch on the screen is not called one of two words, nor anything an outbox', () => {
  for (const { title } of Object.values(knownParams)) expect(title).not.toMatch(/true|false|发件箱/);
});
