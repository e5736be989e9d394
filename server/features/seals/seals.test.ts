import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#server/db/database.ts';
import {
  buildBettors,
  buildPhase,
  buildPromise,
  buildSlips,
  recordResult,
} from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { note, post, problems, prove, vault } from '#server/testing/sealed-rows.ts';
import { superuserOf } from '#server/testing/superuser.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { correctRecord } from '../draw-records/draw-record-store.ts';
import { settleDue } from '../settlements/settle.ts';
import type { Anchor } from './anchor.ts';
import { takeAnchor } from './anchor-store.ts';
import { sealAll } from './seal-rows.ts';

let database: TestDatabase;
let db: Db;
let admin: Db;
let users: number[];
let slips: number[];
let record: number;
let uncorrected: number;
let promised: { gameId: number; phase: string };
let anchor: Anchor;

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
    expect(paid).toMatch(new RegExp(`注单 .*（编号 ${slip}，${AT.source}）的状态“.*与最后一次结算不符`));
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
