import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { changeType } from '#contract/named-fields.ts';
import { foldCounts } from '#server/db/counted-list.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveLedger } from './ledger-proof.ts';
import { type ChangeType, type Entry, postAll } from './ledger-store.ts';

let server: TestServer;
const users: { userId: number; username: string }[] = [];

const random = fc.sample(fc.integer({ min: 0, max: 999_999 }), { numRuns: 20_000, seed: randomSeed });
let drawn = 0;
const below = (limit: number): number => (random[drawn++ % random.length] ?? 0) % limit;
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

const day = (offset: number): string => new Date(Date.UTC(2026, 2, 1 + offset)).toISOString().slice(0, 10);
const incoming: ChangeType[] = ['WIN', 'RETURN', 'REBATE', 'RECHARGE_GIVE'];

/** 1,500 movements of 12 players over 10 days, in the order of time. */
async function postMovements(): Promise<void> {
  const entries: Entry[] = [];
  for (let i = 0; i < 1_500; i++) {
    const second = Math.floor((i / 1_500) * 10 * 86_400);
    const clock = new Date(second * 1000).toISOString().slice(11, 19);
    const changeType = below(3) === 0 && i > 300 ? 'BET' : pick(incoming);
    entries.push({
      userId: pick(users).userId,
      changeType,
      amount: changeType === 'BET' ? '0.0001' : `${1 + below(500)}.${below(10)}`,
      bizOrderNo: `M${i}`,
      desc: i % 7 === 0 ? `备注 "${i}" \\ \u2028 \u007f \t` : null,
      at: `${day(Math.floor(second / 86_400))} ${clock}+08`,
    });
  }
  for (let i = 0; i < entries.length; i += 1_000)
    await server.db.transaction().execute((tx) => postAll(tx, entries.slice(i, i + 1_000)));
}

beforeAll(async () => {
  server = await startTestServer();
  for (let i = 0; i < 12; i++) users.push(await buildUser(server.db, { balance: '100' }));
  await postMovements();
});
afterAll(() => server.close());

type Filter = WireInput<typeof pageAccountHistory>;
const page = async (filter: Filter) => {
  const { envelope } = await (await server.admin()).call(pageAccountHistory, filter);
  if (!envelope.data) throw new Error(envelope.msg ?? '');
  return envelope.data;
};

/** What the answer should be, by brute force. */
async function expected(filter: Filter, offset: number, size: number) {
  const { rows } = await sql<{ id: number; n: number }>`
    select h.id, count(*) over () as n from account_history h join player p on p.id = h."userId"
    where (${filter.userId ?? null}::bigint is null or h."userId" = ${filter.userId ?? null}::bigint)
      and (${filter.username ?? null}::text is null or position(lower(${filter.username ?? null}::text) in lower(p.username)) > 0)
      and (${filter.changeType ?? null}::text is null or h."changeType" = ${filter.changeType ?? null}::text)
      and (${filter.direction ?? null}::text is null or h.direction = ${filter.direction ?? null}::text)
      and (${filter.bizOrderNo ?? null}::text is null or h."bizOrderNo" = ${filter.bizOrderNo ?? null}::text)
      and (${filter.createTimeRange?.[0] ?? null}::text is null or h."createTime"
        between ${filter.createTimeRange?.[0] ?? null}::timestamptz and ${filter.createTimeRange?.[1] ?? null}::timestamptz + interval '999999 microseconds')
    order by h.id desc`.execute(server.db);
  return { totalCount: rows.length, ids: rows.slice(offset, offset + size).map(({ id }) => id) };
}

/** Any part of a name, or the whole. */
const partOf = (name: string): string => {
  const start = below(name.length - 2);
  return below(3) === 0 ? name : name.slice(start, start + 3 + below(name.length));
};

const randomFilter = (): Filter => {
  const from = below(10);
  const to = Math.min(9, from + below(4));
  const range: [string, string] = below(2)
    ? [`${day(from)} 00:00:00`, `${day(to)} 23:59:59`]
    : [`${day(from)} 0${below(10)}:${10 + below(50)}:07`, `${day(to)} 1${below(10)}:30:00`];
  return {
    ...(below(2) ? { changeType: pick(changeType.options) } : {}),
    ...(below(4) === 0 ? { direction: pick(['IN', 'OUT'] as const) } : {}),
    ...(below(2) && range[0] <= range[1] ? { createTimeRange: range } : {}),
    ...(below(5) === 0 ? { userId: pick(users).userId } : {}),
    ...(below(7) === 0 ? { username: partOf(pick(users).username).toUpperCase() } : {}),
    ...(below(12) === 0 ? { bizOrderNo: `M${below(1_500)}` } : {}),
  };
};

describe('the ledger list', () => {
  it('70 random filters and pages: the rows and the exact total, with counts folded, half folded or not at all', async () => {
    for (let round = 0; round < 70; round++) {
      if (round === 20 || round === 50) await foldCounts(server.db);
      if (round === 35) await buildUser(server.db, { balance: '3' });
      const filter = randomFilter();
      const pageSize = pick([1, 20, 100, 1000]);
      const { totalCount } = await expected(filter, 0, 0);
      const pages = Math.max(1, Math.ceil(totalCount / pageSize));
      const currentPage = pick([1, 1 + below(pages), pages, pages + 1]);
      const answer = await page({ ...filter, currentPage, pageSize });
      const right = await expected(filter, (currentPage - 1) * pageSize, pageSize);
      const got = { totalCount: answer.totalCount, ids: answer.data.map(({ id }) => id) };
      expect(got, JSON.stringify({ filter, currentPage, pageSize })).toEqual(right);
    }
  });

  it('every row once through all pages, newest first', async () => {
    const ids: number[] = [];
    for (let currentPage = 1; ; currentPage++) {
      const { data } = await page({ currentPage, pageSize: 200 });
      if (data.length === 0) break;
      ids.push(...data.map(({ id }) => id));
    }
    const { rows } = await sql<{ id: number }>`select id from account_history order by id desc`.execute(
      server.db,
    );
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  it('a page past the end is empty and keeps the count; up to 9999 rows may be asked for, 10000 are refused', async () => {
    const { totalCount } = await page({});
    expect(await page({ currentPage: 100_000 })).toEqual({ totalCount, data: [] });
    expect((await page({ pageSize: 9999 })).data).toHaveLength(totalCount);
    const refused = await (await server.admin()).call(pageAccountHistory, { pageSize: 10_000 });
    expect(refused.envelope).toMatchObject({ success: false, msg: '每页条数不能大于 9999' });
  });
});

describe('the ledger itself', () => {
  it('cannot be changed by the application: no UPDATE, DELETE or TRUNCATE', async () => {
    const attempts = [
      sql`update account_history set amount = 1`,
      sql`delete from account_history where id = 1`,
      sql`truncate account_history`,
      sql`update change_record set msg = ''`,
      sql`delete from change_record`,
      sql`truncate change_record`,
    ];
    for (const attempt of attempts)
      await expect(attempt.execute(server.db)).rejects.toMatchObject({ code: '42501' });
    // Also not by one who was granted the right again.
    await sql`grant update, delete, truncate on account_history to public`.execute(server.database.owner);
    for (const attempt of attempts.slice(0, 3))
      await expect(attempt.execute(server.db)).rejects.toMatchObject({ code: '42501' });
  });

  it('proves: sums, numbers and hashes, computed apart from the database', async () => {
    const proof = await expectProven(server.db);
    expect(proof.accounts).toBeGreaterThanOrEqual(12);
    expect(proof.rows).toBeGreaterThanOrEqual(1_512);
  });

  it('does not prove once anything is tampered with, and says where', async () => {
    const [victim, other] = users;
    const userId = given(victim?.userId);
    const tampered = async (change: (seq: number) => ReturnType<typeof sql>, seq: number) => {
      await server.database.owner.transaction().execute(async (tx) => {
        await sql`alter table account_history disable trigger user`.execute(tx);
        await sql`grant update, delete on account_history to current_user`.execute(tx);
        await change(seq).execute(tx);
        const { breaks } = await proveLedgerWithin(tx);
        expect(breaks).toContainEqual(expect.objectContaining({ userId, accountSeq: seq }));
        await sql`rollback; begin`.execute(tx);
      });
    };
    await tampered(
      (seq) =>
        sql`update account_history set "desc" = '改' where "userId" = ${userId} and "accountSeq" = ${seq}`,
      7,
    );
    await tampered(
      (seq) => sql`update account_history set amount = amount + 1, "newAmount" = "newAmount" + 1
      where "userId" = ${userId} and "accountSeq" = ${seq} and direction = 'IN'`,
      1,
    );
    await tampered(
      (seq) => sql`delete from account_history where "userId" = ${userId} and "accountSeq" = ${seq - 1}`,
      5,
    );
    await tampered(
      () => sql`update account set "totalAmount" = "totalAmount" + 1, "availableAmount" = "availableAmount" + 1
      where "userId" = ${userId}`,
      0,
    );
    expect(other).toBeDefined();
    await expectProven(server.db);
  });
});

/** The proof inside a transaction that is to be undone: it wants transactions of its own, which are this one. */
const proveLedgerWithin = (tx: TestServer['db']) =>
  proveLedger(
    new Proxy(tx, {
      get: (target, name, receiver) => {
        const same = {
          setIsolationLevel: () => same,
          setAccessMode: () => same,
          execute: (work: (db: TestServer['db']) => unknown) => work(target),
        };
        return name === 'transaction' ? () => same : Reflect.get(target, name, receiver);
      },
    }),
  );

it('texts of all kinds hash alike in SQL and here', async () => {
  const { userId } = await buildUser(server.db);
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), { numRuns: 300, seed: randomSeed });
  const entries = texts.map((text) => ({
    userId,
    changeType: 'WIN' as const,
    amount: '1.2345',
    bizOrderNo: randomUUID(),
    desc: text.replaceAll('\u0000', ''),
  }));
  await server.db.transaction().execute((tx) => postAll(tx, entries));
  await expectProven(server.db);
});
