import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { cleanAll } from '#server/jobs/cleaning.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { note, post, problems, prove, vault } from '#server/testing/sealed-rows.ts';
import { superuserOf } from '#server/testing/superuser.ts';
import { testDatabase } from '#server/testing/test-database.ts';
import { createVault } from '#server/vault.ts';
import { takeAnchor } from './anchor-store.ts';
import { proveSeals } from './prove-seals.ts';
import { sealAll } from './seal-rows.ts';
import { kindsDue, readHeads } from './seal-store.ts';

const ZONE = 'Asia/Shanghai';

describe('the sealer', () => {
  it('seals within one turn what was committed, also beside a transaction that holds lower ids, and these when they come', async () => {
    const own = await testDatabase();
    const [slow, fast] = [own.owner, own.db];
    const [player = 0] = await buildBettors(fast, 1);
    const [other = 0] = await buildBettors(fast, 1);
    await sealAll(fast, vault);
    await slow.transaction().execute(async (tx) => {
      await post(tx, player, 'slow');
      await post(fast, other, 'fast');
      await sealAll(fast, vault);
      expect(await prove(fast)).toMatchObject({ broken: 0, unsealed: 0 });
      const gaps = await sql`select kind from seal_gap where kind = 'LEDGER'`.execute(fast);
      expect(gaps.rows).toHaveLength(1);
      await sealAll(fast, vault);
      expect((await sql`select kind from seal_gap where kind = 'LEDGER'`.execute(fast)).rows).toHaveLength(1);
    });
    await sealAll(fast, vault);
    const late = await sql<{ rows: number }>`select rows from seal where late and kind = 'LEDGER'`.execute(
      fast,
    );
    expect(late.rows).toEqual([{ rows: 1 }]);
    // A rolled back transaction leaves a gap that is given up.
    await expect(
      slow.transaction().execute(async (tx) => {
        await post(tx, player, 'undone');
        await post(fast, other, 'beside');
        await sealAll(fast, vault);
        throw new RangeError();
      }),
    ).rejects.toThrow(RangeError);
    await sealAll(fast, vault);
    expect((await sql`select from seal_gap`.execute(fast)).rows).toEqual([]);
    const id = await sql<{ id: number }>`select id from account_history where "bizOrderNo" = 'slow'`.execute(
      fast,
    );
    expect(await prove(fast)).toMatchObject({ broken: 0, unsealed: 0 });
    await sql`alter table account_history disable trigger user`.execute(own.owner);
    await sql`grant update on account_history to current_user`.execute(own.owner);
    await sql`update account_history set "desc" = 'x' where "bizOrderNo" = 'slow'`.execute(own.owner);
    expect(await problems(fast)).toContain(`编号 ${id.rows[0]?.id}，`);
    await own.drop();
  });

  it('works one at a time however many servers seal, and numbers every row once', async () => {
    const own = await testDatabase();
    const players = await buildBettors(own.db, 4);
    const servers = Array.from({ length: 4 }, () => connect(own.url, { timeZone: ZONE, max: 1 }));
    const writing = players.map(async (player) => {
      for (let i = 0; i < 40; i++) await post(own.db, player, `${player}-${i}`);
    });
    let done = false;
    const sealing = servers.map(async (server) => {
      while (!done) await sealAll(server, vault);
    });
    await Promise.all(writing);
    done = true;
    await Promise.all(sealing);
    await sealAll(own.db, vault);
    expect(await prove(own.db)).toMatchObject({ broken: 0, problems: [], unsealed: 0 });
    const { rows } = await sql<{ sealed: number; held: number }>`
      select (select sum(rows)::bigint from seal where kind = 'LEDGER') as sealed, (select count(*) from account_history) as held`.execute(
      own.db,
    );
    expect(rows[0]?.sealed).toBe(rows[0]?.held);
    await Promise.all(servers.map((server) => server.destroy()));
    await own.drop();
  });

  it('leaves nothing that comes beside a backlog until the end of that', async () => {
    const own = await testDatabase();
    const [player = 0] = await buildBettors(own.db, 1);
    await sealAll(own.db, vault);
    await sql`
      insert into change_record ("userName", call, summary, input, address, outcome)
      select 'a', 'addRole', '新增角色', '{}', '127.0.0.1', 'SUCCESS' from generate_series(1, 65537)`.execute(
      own.owner,
    );
    let posted: Promise<unknown> | undefined;
    await sealAll(own.db, vault, () => {
      posted ??= post(own.owner, player, 'beside');
      return false;
    });
    await posted;
    expect(await prove(own.db)).toMatchObject({ broken: 0, problems: [], unsealed: 0 });
    await own.drop();
  });

  it('does not prove under another secret', async () => {
    const own = await testDatabase();
    await note(own.db, 'a');
    await sealAll(own.db, vault);
    const stranger = createVault(randomBytes(32));
    const { problems: found } = await proveSeals(own.db, stranger, { timeZone: ZONE });
    expect(found[0]?.problem).toContain('封存码不对');
    await own.drop();
  });
});

describe('change records that retention takes away', () => {
  const noted = async (on: Db, age: string) => {
    await sql`insert into change_record ("createTime", "userName", call, summary, input, address, outcome)
      select now() - ${age}::interval, 'old', 'addRole', '新增角色', '{}', '127.0.0.1', 'SUCCESS' from generate_series(1, 3)`.execute(
      on,
    );
    await sealAll(on, vault);
  };

  it('are counted and missed by no proof, while ledger and anchors of before go on to be proven', async () => {
    const own = await testDatabase();
    const [player = 0] = await buildBettors(own.db, 1);
    await post(own.db, player, 'long ago');
    for (const age of ['5 years', '4 years', '100 days']) await noted(own.db, age);
    const before = given(await takeAnchor(own.db, vault));
    const { rows: sealed } = await prove(own.db);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    expect(await cleanAll({ db: own.db, log }, { batch: 2 })).toEqual([]);
    expect(await prove(own.db, [before])).toMatchObject({
      ...{ broken: 0, problems: [], cleaned: 6, keptDays: 1095, rows: sealed, anchors: 1 },
    });
    await own.drop();
  });

  it('are told from those that somebody takes out: younger ones, and ones that older ones have outlived', async () => {
    const own = await testDatabase();
    for (const age of ['6 years', '5 years', '4 years', '100 days']) await noted(own.db, age);
    const admin = superuserOf(own);
    await sql`set session_replication_role = replica`.execute(admin);
    const takeOut = (age: string) =>
      sql`delete from change_record where id = (select min(id) from change_record where "userName" = 'old'
        and "createTime" < now() - ${age}::interval and "createTime" > now() - ${age}::interval - interval '1 day')`.execute(
        admin,
      );
    const found = async () => {
      const { broken, cleaned } = await prove(own.db);
      return { broken, cleaned };
    };
    await takeOut('5 years');
    expect(await found()).toEqual({ broken: 1, cleaned: 0 });
    await takeOut('100 days');
    expect(await found()).toEqual({ broken: 2, cleaned: 0 });
    // Of those that nobody keeps any longer the oldest may be gone.
    await takeOut('6 years');
    expect(await found()).toEqual({ broken: 2, cleaned: 1 });
    await admin.destroy();
    await own.drop();
  });
});

it('whether there is anything to seal is seen from the ends, however much there is', async () => {
  const own = await testDatabase();
  await sql`
    insert into change_record ("userName", call, summary, input, address, outcome)
    select 'a', 'addRole', '新增角色', '{}', '127.0.0.1', 'SUCCESS' from generate_series(1, 20000)`.execute(
    own.db,
  );
  await sealAll(own.db, vault);
  await sql`analyze change_record`.execute(own.owner);
  const read = await rowsRead(own.db, [], async (tx) => {
    const heads = await readHeads(tx);
    // After some calls the database keeps a plan for any values.
    for (let look = 0; look < 10; look++) expect(await kindsDue(tx, heads)).toEqual([]);
  });
  expect(read).toBeLessThan(300);
  await note(own.db, 'b');
  expect(await kindsDue(own.db, await readHeads(own.db))).toEqual(['CHANGE']);
  await own.drop();
});
