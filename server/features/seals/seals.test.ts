import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { cleanAll } from '#server/jobs/cleaning.ts';
import {
  buildBettors,
  buildPhase,
  buildPromise,
  buildSlips,
  recordResult,
} from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { superuserOf } from '#server/testing/superuser.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { createVault } from '#server/vault.ts';
import { correctRecord } from '../draw-records/draw-record-store.ts';
import { settleDue } from '../settlements/settle.ts';
import type { Anchor } from './anchor.ts';
import { takeAnchor } from './anchor-store.ts';
import { proveSeals } from './prove-seals.ts';
import { sealAll } from './seal-rows.ts';
import { kindsDue, readHeads } from './seal-store.ts';

const ZONE = 'Asia/Shanghai';
const vault = createVault(Buffer.alloc(32, 'seal'));
let database: TestDatabase;
let db: Db;
let admin: Db;
let users: number[];
let slips: number[];
let record: number;
let uncorrected: number;
let promised: { gameId: number; phase: string };
let anchor: Anchor;

const post = (on: Db, userId: number, number: string) =>
  sql`select from post_entries(array[${userId}]::bigint[], array['RECHARGE'], array[10.5]::numeric[], array[${number}], array['备注'])`.execute(
    on,
  );
const note = (on: Db, userName: string) =>
  sql`insert into change_record ("userName", call, summary, input, address, outcome)
    values (${userName}, 'addRole', '新增角色', '{"name":"x"}', '127.0.0.1', 'SUCCESS')`.execute(on);
const prove = (on: Db, anchors: Anchor[] = []) => proveSeals(on, vault, { timeZone: ZONE, anchors });
const problems = async (on: Db, anchors: Anchor[] = []) =>
  (await prove(on, anchors)).problems.map(({ problem }) => problem).join('\n');

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  admin = superuserOf(database);
  const phase = await buildPhase(db);
  users = await buildBettors(db, 3);
  slips = await buildSlips(
    db,
    phase,
    users.map((userId) => ({
      userId,
      lines: [{ rules: 'first' as const, selection: '9,1', unitStake: '2', units: 2 }],
    })),
  );
  record = await recordResult(db, phase, '9,3,5,5,5');
  uncorrected = await recordResult(db, await buildPhase(db, '4999'), '1,2,3,4,5');
  promised = await buildPhase(db, '5001', { to: 300 });
  await buildPromise(db, promised);
  await settleDue(db);
  await sealAll(db, vault);
  // What is corrected after it was sealed proves as well.
  const words = { oldResult: '9,3,5,5,5', newResult: '2,3,5,5,5', source: '来源', reason: '更正' };
  await db
    .transaction()
    .execute((tx) => correctRecord(tx, { recordId: record, ...words, operatorId: 1, userName: 'admin' }));
  await settleDue(db);
  for (const [n, user] of users.entries()) {
    for (let i = 0; i < 5; i++) await post(db, user, `S${n}-${i}`);
    await note(db, `seal-${n}`);
  }
  await sealAll(db, vault);
  anchor = given(await takeAnchor(db, vault));
});
afterAll(async () => {
  await admin.destroy();
  await database.drop();
});

it('a clean database proves clean, all of it sealed', async () => {
  const proof = await prove(db, [anchor]);
  expect(proof).toMatchObject({ broken: 0, problems: [], unsealed: 0, anchors: 1 });
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from account_history) + (select count(*) from account_debt) + (select count(*) from change_record)
      + (select count(*) from slip) + (select count(*) from slip_settlement) + (select count(*) from slip_rules)
      + 2 * (select count(*) from draw_record) + 2 * (select count(*) from draw_correction) + (select count(*) from draw_commitment) as n`.execute(
    db,
  );
  expect(proof.rows).toBe(rows[0]?.n);
});

describe('a superuser', () => {
  /** What is proven after a superuser's doing, which is undone. */
  async function foundAfter(...statements: string[]): Promise<string> {
    class Undone extends Error {}
    let said = '';
    const work = admin.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      for (const statement of statements) await sql.raw(statement).execute(tx);
      said = await problems(tx, [anchor]);
      throw new Undone();
    });
    await expect(work).rejects.toThrow(Undone);
    return said;
  }
  const AT = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
  const idOf = async (query: ReturnType<typeof sql<{ id: number }>>) =>
    given((await query.execute(db)).rows[0]).id;
  const row = (seq: number) =>
    idOf(
      sql<{
        id: number;
      }>`select id from account_history where "userId" = ${users[0]} and "accountSeq" = ${seq}`,
    );

  it('who changes a row is found, with row and time', async () => {
    const id = await row(3);
    const said = await foundAfter(`update account_history set "desc" = '改' where id = ${id}`);
    expect(said).toMatch(
      new RegExp(`^账变第 \\d+ 号（编号 ${id}，记录时间 ${AT.source}，封存于 ${AT.source}）在封存后被改动$`),
    );
  });

  it('who cuts the tail is found, also with its seals', async () => {
    const id = await idOf(sql<{ id: number }>`select max(id) as id from account_history`);
    expect(await foundAfter(`delete from account_history where id = ${id}`)).toMatch(
      new RegExp(`账变第 \\d+ 号（编号 ${id}，.*被删除`),
    );
    const cut = await foundAfter(
      `delete from account_history where id > (select max("toId") from seal where kind = 'LEDGER' and no = 1)`,
      `delete from seal where kind = 'LEDGER' and no > 1`,
      `update account a set "lastSeq" = h."accountSeq", "totalAmount" = h."newAmount", "availableAmount" = h."newAmount" - "freezeAmount",
        "lastHash" = h.hash from (select distinct on ("userId") * from account_history order by "userId", "accountSeq" desc) h
        where h."userId" = a."userId"`,
    );
    expect(cut).toMatch(
      /锚点 [A-Z2-9-]+（第 1 号，.*Z）记有账变 \d+ 行、2 段，现在只有 \d+ 行、1 段：第 \d+ 至 \d+ 号被截去/,
    );
  });

  it('who chains an account anew is found', async () => {
    const user = users[1];
    const first = sql<{
      id: number;
    }>`select "accountSeq" as id from account_history where "bizOrderNo" = 'S1-1'`;
    const seq = await idOf(first);
    const said = await foundAfter(
      `update account_history set amount = amount + 100, "newAmount" = "newAmount" + 100 where "userId" = ${user} and "accountSeq" = ${seq}`,
      `update account_history set "originAmount" = "originAmount" + 100, "newAmount" = "newAmount" + 100 where "userId" = ${user} and "accountSeq" > ${seq}`,
      `do $$ declare r account_history; h bytea := ''; begin
        for r in select * from account_history where "userId" = ${user} order by "accountSeq" loop
          h := ledger_hash(h, r."userId", r."accountSeq", r."originAmount", r.amount, r."newAmount", r.direction, r."changeType", r."bizOrderNo", r."desc", r."createTime");
          update account_history set hash = h where id = r.id;
          update account set "totalAmount" = r."newAmount", "availableAmount" = r."newAmount" - "freezeAmount", "lastHash" = h where "userId" = r."userId";
        end loop; end $$`,
    );
    const id = await idOf(
      sql<{ id: number }>`select id from account_history where "userId" = ${user} and "accountSeq" = ${seq}`,
    );
    expect(said).toContain(`（编号 ${id}，记录时间`);
    expect(said).toMatch(/在封存后被改动/);
  });

  it('who wipes an account is found', async () => {
    const user = users[2];
    const id = await idOf(
      sql<{ id: number }>`select id from account_history where "userId" = ${user} and "accountSeq" = 1`,
    );
    const said = await foundAfter(
      `delete from account_history where "userId" = ${user}`,
      `update account set "totalAmount" = 0, "availableAmount" = 0, "freezeAmount" = 0, "lastSeq" = 0, "lastHash" = '' where "userId" = ${user}`,
    );
    expect(said).toMatch(
      new RegExp(
        `账变第 \\d+ 号（编号 ${id}，记录时间在 ${AT.source} 至 ${AT.source} 之间，封存于 ${AT.source}）在封存后被删除`,
      ),
    );
  });

  it('who replaces a draw is found, with a correction too', async () => {
    const plain = await foundAfter(`update draw_record set result = '1,1,1,1,1' where id = ${record}`);
    expect(plain).toMatch(
      new RegExp(`开奖记录（编号 ${record}，期号 .*结果 1,1,1,1,1 不是最后一次更正的 2,3,5,5,5`),
    );
    const rewritten = await foundAfter(
      `update draw_record set result = '1,1,1,1,1' where id = ${record}`,
      `delete from draw_correction where "recordId" = ${record}`,
    );
    expect(rewritten).toMatch(
      new RegExp(`开奖记录第 \\d+ 号（编号 ${record}，记录时间 ${AT.source}.*被改动`),
    );
    expect(rewritten).toMatch(/开奖更正第 1 号（编号 \d+，.*被删除/);
  });

  it('who changes a slip is found: what was bet, and what became of it', async () => {
    const [slip = 0] = slips;
    const bet = await foundAfter(`update slip_line set selection = '2,1' where "slipId" = ${slip}`);
    expect(bet).toMatch(new RegExp(`注单第 \\d+ 号（编号 ${slip}，记录时间 ${AT.source}.*被改动`));
    const paid = await foundAfter(`update slip set payout = payout + 100 where id = ${slip}`);
    expect(paid).toMatch(new RegExp(`注单 .*（编号 ${slip}，${AT.source}）的状态 .*与最后一次结算不符`));
    const settled = await foundAfter(
      `update slip set payout = payout + 100 where id = ${slip}`,
      `update slip_settlement set payout = payout + 100 where "slipId" = ${slip}`,
    );
    expect(settled).toMatch(/注单结算第 \d+ 号（编号 \d+，.*被改动/);
  });

  it('who changes what the rules of a placed slip say is found', async () => {
    const rules = await idOf(
      sql<{ id: number }>`select "rulesId" as id from slip_line where "slipId" = ${slips[0] ?? 0}`,
    );
    const said = await foundAfter(
      `update slip_rules set rules = jsonb_set(rules, '{latitude,resultIndex}', '"1"') where id = ${rules}`,
    );
    expect(said).toMatch(
      new RegExp(
        `^注单规则第 \\d+ 号（编号 ${rules}，记录时间 ${AT.source}，封存于 ${AT.source}）在封存后被改动$`,
      ),
    );
    expect(await foundAfter(`update slip_rules set "lineCap" = 1, book = null where id = ${rules}`)).toMatch(
      new RegExp(`^注单规则第 \\d+ 号（编号 ${rules}，.*被改动$`),
    );
  });

  it('who changes whose word a record is by is found, of a corrected one too', async () => {
    const change = (id: number) => `update draw_record set source = '伪造来源' where id = ${id}`;
    expect(await foundAfter(change(uncorrected))).toMatch(
      new RegExp(
        `^开奖来源第 \\d+ 号（编号 ${uncorrected}，记录时间 ${AT.source}，封存于 ${AT.source}）在封存后被改动$`,
      ),
    );
    expect(await foundAfter(change(record))).toMatch(
      new RegExp(
        `^开奖记录（编号 ${record}，期号 5000，${AT.source}）的来源 伪造来源 不是最后一次更正的 来源$`,
      ),
    );
    expect(
      await foundAfter(
        change(record),
        `update draw_correction set "newSource" = '伪造来源' where "recordId" = ${record}`,
      ),
    ).toMatch(/^更正的来源第 1 号（编号 \d+，.*被改动$/);
    expect(
      await foundAfter(`update draw_correction set "oldSource" = '伪造来源' where "recordId" = ${record}`),
    ).toMatch(new RegExp(`开奖来源第 \\d+ 号（编号 ${record}，.*被改动`));
  });

  it('who changes, takes away or puts in a promise is found before its draw', async () => {
    const which = `"gameId" = ${promised.gameId} and phase = '${promised.phase}'`;
    const told = new RegExp(
      `^开奖承诺第 \\d+ 号（编号 \\d+，记录时间 ${AT.source}，封存于 ${AT.source}）在封存后被改动$`,
    );
    for (const forged of [
      `"createTime" = "createTime" - interval '1 hour'`,
      `commitment = 'b', seed = '\\x01'`,
      `rules = '{"count":1}'`,
    ])
      expect(await foundAfter(`update draw_commitment set ${forged} where ${which}`)).toMatch(told);
    expect(await foundAfter(`delete from draw_commitment where ${which}`)).toMatch(told);
    expect(
      await foundAfter(
        `delete from draw_commitment where ${which}`,
        `delete from promise_order where ${which}`,
      ),
    ).toMatch(/^开奖承诺第 \d+ 号（.*被删除$/);
    expect(
      await foundAfter(`insert into draw_commitment ("gameId", phase, rules, commitment, seed)
        values (${promised.gameId}, '5002', '{}', 'c', '')`),
    ).toMatch(
      new RegExp(
        `^开奖承诺（游戏 ${promised.gameId}，期号 5002，${AT.source}）没有记下次序，不是由服务作出的$`,
      ),
    );
  });

  it('who forges a change record is found: changed, put in between, taken out', async () => {
    const id = await idOf(
      sql<{ id: number }>`select min(id) as id from change_record where "userName" = 'seal-1'`,
    );
    expect(await foundAfter(`update change_record set "userName" = 'admin' where id = ${id}`)).toMatch(
      new RegExp(`操作日志第 \\d+ 号（编号 ${id}，记录时间 ${AT.source}.*被改动`),
    );
    expect(await foundAfter(`delete from change_record where id = ${id}`)).toMatch(
      new RegExp(`操作日志第 \\d+ 号（编号 ${id}，.*被删除`),
    );
    const between = await foundAfter(
      `insert into change_record (id, "userName", call, summary, input, address, outcome) overriding system value
        values (-5, 'admin', 'addRole', '新增角色', '{}', '127.0.0.1', 'SUCCESS')`,
    );
    expect(between).toMatch(new RegExp(`操作日志（编号 -5，记录时间 ${AT.source}）是封存之后插进`));
  });

  it('who seals anew is found: without the key by the seals, with it by the anchor', async () => {
    const id = await row(3);
    const forge = `update account_history set "desc" = '改' where id = ${id}`;
    expect(await foundAfter(forge, `update seal set digest = '\\x00' where kind = 'LEDGER'`)).toMatch(
      /账变第 \d+ 段（.*）：封存码不对/,
    );
    expect(await foundAfter(`delete from seal where kind = 'SLIP' and no = 1`)).toMatch(
      /锚点|之前的一段不见了/,
    );
    const mine = await testDatabase();
    await sealAll(mine.db, vault);
    // The same platform's key, other rows: what a thief of both could make.
    await note(mine.db, 'other');
    await sealAll(mine.db, vault);
    const other = given(await takeAnchor(mine.db, vault));
    expect(await problems(mine.db, [other])).toBe('');
    expect(await problems(mine.db, [anchor])).toMatch(/被截去|锚点之后有人重做了封存链/);
    const [head] = anchor.heads;
    expect(await problems(db, [{ ...anchor, heads: head ? [{ ...head, rows: 1 }] : [] }])).toContain(
      '与它的校验码不符',
    );
    await mine.drop();
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
    const stranger = createVault(randomBytes(32));
    const { problems: found } = await proveSeals(db, stranger, { timeZone: ZONE });
    expect(found[0]?.problem).toContain('封存码不对');
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
