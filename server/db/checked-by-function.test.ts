import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeType, outgoingChanges } from '#contract/named-fields.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { filesAfter, landings, lay } from '#server/testing/past-database.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const amounts = [-1, 0, 0.01, 1, 2.5, 3.5, 999_999_999_999.99, 1_000_000_000_000];
const given = sql`unnest(${amounts}::numeric[])`;

describe('what is checked by a function', () => {
  test('is a row of the ledger where the five checks of before held', async () => {
    const types = [...changeType.options, 'DEBT_WRITE_OFF', ''];
    const { rows } = await sql<{ held: boolean; differing: number }>`
      select former as held, count(*) filter (where is_ledger_row(direction, type, origin, amount, after) is distinct from former)::int as differing
      from (select *, amount > 0 and after >= 0 and type = any (${[...changeType.options]}::text[])
          and direction = case when type = any (${[...outgoingChanges]}::text[]) then 'OUT' else 'IN' end
          and after = case direction when 'IN' then origin + amount else origin - amount end as former
        from unnest(${types}::text[]) as type, unnest(array['IN', 'OUT', 'in', '']) as direction,
          ${given} as origin, ${given} as amount, ${given} as after) as every
      group by former order by former`.execute(database.db);
    expect(rows).toEqual([
      { held: false, differing: 0 },
      { held: true, differing: 0 },
    ]);
  });

  test('is a balance where the six checks of before held', async () => {
    const { rows } = await sql<{ held: boolean; differing: number }>`
      select former as held, count(*) filter (where is_balance(total, available, frozen, debt) is distinct from former)::int as differing
      from (select *, available >= 0 and frozen >= 0 and debt >= 0 and total = available + frozen and total < 1000000000000
          and (debt = 0 or available = 0) as former
        from ${given} as total, ${given} as available, ${given} as frozen, ${given} as debt) as every
      group by former order by former`.execute(database.db);
    expect(rows).toEqual([
      { held: false, differing: 0 },
      { held: true, differing: 0 },
    ]);
  });

  test('is nothing else in its table, whoever writes it', async () => {
    const { userId } = await buildUser(database.db, { balance: '10' });
    const inserted = (
      direction: string,
      type: string,
      [origin, amount, after]: readonly [number, number, number],
    ) =>
      sql`insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", hash)
        values (${userId}, 2, ${origin}, ${amount}, ${after}, ${direction}, ${type}, '')`.execute(
        database.owner,
      );
    for (const [direction, type, sums] of [
      ['IN', 'WIN', [10, 1, 12]],
      ['OUT', 'WIN', [10, 1, 9]],
      ['IN', 'BET', [10, 1, 11]],
      ['IN', 'GIFT', [10, 1, 11]],
      ['IN', 'WIN', [10, -1, 9]],
      ['OUT', 'BET', [1, 2, -1]],
    ] as const)
      await expect(inserted(direction, type, sums)).rejects.toMatchObject({
        constraint_name: 'account_history_row',
      });
    for (const change of [
      '"availableAmount" = 11',
      '"freezeAmount" = -1, "totalAmount" = 9',
      'debt = 1',
      'debt = -1',
      '"availableAmount" = 1000000000000, "totalAmount" = 1000000000000',
    ])
      await expect(
        sql`update account set ${sql.raw(change)} where "userId" = ${userId}`.execute(database.owner),
      ).rejects.toMatchObject({ constraint_name: 'account_balance' });
    await inserted('OUT', 'BET', [10, 10, 0]);
  });
});

test('an upgrade keeps nobody waiting for whoever reads the ledger', async () => {
  const { db, drop } = await testDatabase({ empty: true });
  await lay(db, filesAfter(landings.findIndex(({ name }) => name.startsWith('0490'))));
  let upgraded = false;
  let upgrade: Promise<string[]> | undefined;
  await db.transaction().execute(async (reading) => {
    await sql`select from account_history limit 1`.execute(reading);
    upgrade = migrate(db).finally(() => {
      upgraded = true;
    });
    const waits = sql`select from pg_locks where relation = 'account_history'::regclass and not granted`;
    while ((await waits.execute(db)).rows.length === 0);
    for (let n = 0; n < 3; n++)
      await sql`select post_entries(array[30], array['RECHARGE'], array[1], array[${`beside-${n}`}], null)`.execute(
        db,
      );
    expect(upgraded).toBe(false);
  });
  expect(await upgrade).toContain('0490-ledger-checked-by-function.sql');
  await drop();
});
