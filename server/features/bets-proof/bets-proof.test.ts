import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { buildBettors, buildPhase, buildSlips, playWays, recordResult } from '#server/testing/build-slips.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { correctRecord } from '../draw-records/draw-record-store.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginVoid } from '../settlements/voids.ts';
import { lastBroken, nextProof, proveToday } from './daily-proof.ts';
import { proveBets } from './prove-bets.ts';

let database: TestDatabase;
let db: TestDatabase['db'];
let slips: number[] = [];
let user = 0;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  const phase = await buildPhase(db);
  [user = 0] = await buildBettors(db, 1);
  slips = await buildSlips(
    db,
    phase,
    Array.from({ length: 8 }, () => ({
      userId: user,
      lines: [
        { rules: 'first' as const, selection: '9,1', unitStake: '2', units: 2 },
        { rules: 'size' as const, selection: '大', unitStake: '1.2345' },
      ],
    })),
  );
  const record = await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  // A corrected correction, and a void: all of it is proven.
  for (const [oldResult, newResult] of [
    ['9,3,5,5,5', '2,3,5,5,5'],
    ['2,3,5,5,5', '9,3,5,5,5'],
  ] as const)
    await db.transaction().execute((tx) =>
      correctRecord(tx, {
        ...{ recordId: record, oldResult, newResult, source: '来源', reason: '更正' },
        ...{ operatorId: 1, userName: 'admin' },
      }),
    );
  await settleDue(db);
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  await db.transaction().execute((tx) => beginVoid(tx, { ...phase, playWayId: playWays.size }, act));
  await settleDue(db);
  // Phases that are open, held or not drawn break nothing.
  const waiting = await buildPhase(db);
  await buildSlips(db, waiting, [
    { userId: user, lines: [{ rules: 'first', selection: '9', unitStake: '1' }] },
  ]);
  const held = await buildPhase(db);
  await buildSlips(db, held, [
    { userId: user, lines: [{ rules: 'broken', selection: '9', unitStake: '1' }] },
  ]);
  await recordResult(db, held, '9,3,5,5,5');
  await settleDue(db);
});
afterAll(() => database.drop());

it('is taken once a day, by whichever server comes first', async () => {
  expect(await nextProof(db)).toBeGreaterThan(0);
  const taken = await Promise.all([proveToday(db), proveToday(db)]);
  expect(taken.filter((proof) => proof !== undefined)).toHaveLength(1);
  expect(await nextProof(db)).toBeUndefined();
  expect(await lastBroken(db)).toBe(0);
  await sql`update bets_proof set broken = 3`.execute(db);
  expect(await lastBroken(db)).toBe(3);
});

it('is kept for the day it was begun on, though it ends on the next', async () => {
  const { owner } = database;
  await sql`delete from bets_proof`.execute(owner);
  // As if midnight had passed since.
  await sql`create function yesterday() returns trigger language plpgsql as 'begin new.day := new.day - 1; return new; end'`.execute(
    owner,
  );
  await sql`create trigger yesterday before insert on bets_proof for each row execute function yesterday()`.execute(
    owner,
  );
  expect(await proveToday(db)).toMatchObject({ broken: 0 });
  await sql`drop function yesterday cascade`.execute(owner);
  const { rows } = await sql<{ slips: number }>`
    select slips from bets_proof where day = current_date - 1 and "endTime" is not null`.execute(db);
  expect(rows).toEqual([{ slips: 10 }]);
  // Today's is still to be made.
  expect(await nextProof(db)).toBeGreaterThan(0);
});

describe('where what there ever was takes long to be read', () => {
  const tables = ['settlement', 'report_player'];
  const onTables = async (statement: (table: string) => string) => {
    for (const table of tables) await sql.raw(statement(table)).execute(database.owner);
  };
  // A row of these takes as long as a million do on a grown platform.
  beforeAll(() =>
    onTables(
      (table) => `alter table ${table} enable row level security;
      create policy slow on ${table} using (pg_sleep(0.02) is not null)`,
    ),
  );
  afterAll(() =>
    onTables((table) => `drop policy slow on ${table}; alter table ${table} disable row level security`),
  );

  it('a proof takes the time it takes, also where a pooler keeps limits', async () => {
    const limited = connect(database.url, { timeZone: 'Asia/Shanghai', max: 1 });
    await sql`set statement_timeout = '15ms'`.execute(limited);
    await expect(sql`select count(*) from settlement`.execute(limited)).rejects.toMatchObject({
      code: '57014',
    });
    expect(await proveBets(limited)).toEqual({ slips: 10, broken: 0, breaks: [] });
    await limited.destroy();
  });
});

it('is due again at once when it fails', async () => {
  const { owner } = database;
  await sql`delete from bets_proof`.execute(owner);
  await sql`alter table report_return rename to report_return_away`.execute(owner);
  await expect(proveToday(db)).rejects.toMatchObject({ code: '42P01' });
  expect(await nextProof(db)).toBeGreaterThan(0);
  await sql`alter table report_return_away rename to report_return`.execute(owner);
  expect(await proveToday(db)).toMatchObject({ broken: 0 });
  expect(await nextProof(db)).toBeUndefined();
});

it('says that it goes on, so that no other server begins it', async () => {
  const { owner } = database;
  await sql`delete from bets_proof`.execute(owner);
  await sql`create function long_ago() returns trigger language plpgsql as $$
    begin new."startTime" := now() - interval '7 hours'; return new; end $$`.execute(owner);
  await sql`create trigger long_ago before insert on bets_proof for each row execute function long_ago()`.execute(
    owner,
  );
  expect(await proveToday(db, 0)).toMatchObject({ broken: 0 });
  await sql`drop function long_ago cascade`.execute(owner);
  const { rows } = await sql`select from bets_proof where "startTime" > now() - interval '1 hour'`.execute(
    db,
  );
  expect(rows).toHaveLength(1);
});

it('proves what was settled, corrected, voided and held', async () => {
  expect(await proveBets(db)).toEqual({ slips: 10, broken: 0, breaks: [] });
});

it('finds forged payouts and results, missing slips, double postings and wrong counters', async () => {
  const db = database.owner;
  for (const table of [
    'slip',
    'slip_line',
    'slip_settlement',
    'slip_rules',
    'account_history',
    'draw_record',
    'settlement',
  ]) {
    await sql`grant all on ${sql.table(table)} to current_user`.execute(db);
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  }
  const [paid = 0, missing = 0, doubled = 0, unpaid = 0, stranger = 0, selection = 0] = slips;
  const post = (type: string, amount: string, number: string) =>
    sql`select from post_entries(array[${user}]::bigint[], array[${type}], array[${amount}]::numeric[], array[${number}], array[null])`.execute(
      db,
    );
  // A payout that all books agree on, and the rules do not.
  await sql`update slip_line set payout = 119.58 where "slipId" = ${paid} and payout > 0`.execute(db);
  await sql`update slip set payout = 119.58 where id = ${paid}`.execute(db);
  await sql`update slip_settlement set payout = 119.58, "movedPayout" = "movedPayout" + 100 where "slipId" = ${paid} and n = 1`.execute(
    db,
  );
  await sql`update slip_settlement set payout = payout + 100 where "slipId" = ${paid} and n > 1`.execute(db);
  await post('BET_REFUND', '100', `B${paid}/99`);
  // A slip that is gone, with its stake in the ledger.
  await sql`delete from slip where id = ${missing}`.execute(db);
  // Paid twice, under a number of its own and under one of its settlements.
  await post('WIN', '19.58', `B${doubled}/2`);
  await post('WIN', '19.58', `B${doubled}/77`);
  // A number that no slip has.
  await post('WIN', '5', 'B987654321');
  await sql`update slip set status = 'LOST' where id = ${unpaid}`.execute(db);
  await sql`update slip set "userId" = "userId" + 1 where id = ${stranger}`.execute(db);
  await sql`update slip_line set selection = '9' where "slipId" = ${selection} and units = 2`.execute(db);
  const { broken, breaks } = await proveBets(db);
  const of = (slipId: number) =>
    breaks.filter((each) => each.slipId === slipId).map(({ problem }) => problem);
  expect(of(paid)).toContain('派彩应为 19.5800，记为 119.58');
  expect(of(paid).join()).toContain('账变中的派彩');
  expect(of(doubled).join()).toContain('账变中的派彩应为 19.5800，记为 39.1600');
  expect(of(unpaid)).toEqual(['应为“已中奖”，记为“未中奖”']);
  expect(of(stranger)).toEqual(['账变记在别的用户名下']);
  expect(of(selection)).toEqual(['无法复算：注数应为 1，记为 2']);
  const strays = of(0).join('\n');
  for (const number of [
    `B${missing}（投注 `,
    `B${doubled}/77（中奖 19.58`,
    'B987654321（中奖 ',
    `B${paid}/99`,
  ])
    expect(strays).toContain(number);
  expect(strays).toMatch(/第 \d+ 号结算的合计与它的明细不符/);
  expect(broken).toBe(breaks.length);
});
