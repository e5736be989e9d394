import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getHappenings, type Happening } from '#contract/happenings.ts';
import { logout } from '#contract/sign-in.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { replaceMenus } from '#server/features/roles/role-store.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { type NewsStream, openNews } from '#server/testing/news-stream.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { deleteOldHappenings } from './happening-store.ts';

const deposits = '/main/user/deposit-record';
const withdrawals = '/main/user/withdraw-record';

let server: TestServer;
/** Another server over the same database. */
let other: TestServer;
let admin: string;
let userId: number;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  admin = (await server.admin()).token;
  ({ userId } = await buildUser(server.db));
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const opened: NewsStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

/** A stream that has been greeted. */
async function listen(origin: string, token: string, lastId?: string): Promise<NewsStream> {
  const stream = await openNews(origin, token, lastId);
  opened.push(stream);
  if (stream.status === 200) await expect.poll(() => stream.told.length).toBeGreaterThan(0);
  return stream;
}

const tokenFor = async (grants: readonly string[]): Promise<string> => {
  const { username } = await buildOperator(server.db, { grants });
  return (await server.as(username, PASSWORD)).token;
};

async function placeDeposit(db = server.db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into deposit ("userId", amount, "bankOrderNo", type)
    values (${userId}, 10, gen_random_uuid()::text, 'THIRD_PARTY') returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

const idsOf = (happenings: readonly Happening[], noun: Happening['noun']): number[] =>
  happenings.filter((one) => one.noun === noun).map(({ id }) => id);
const hears = (stream: NewsStream, noun: Happening['noun'], ids: readonly number[]) =>
  expect
    .poll(() => idsOf(stream.happenings(), noun), { timeout: 30_000 })
    .toEqual(expect.arrayContaining([...ids]));

describe('the live stream', () => {
  it('tells on every server what came, changed and waits, whoever may open its list, and nobody else', async () => {
    const all = await listen(other.origin, admin);
    const cashier = await listen(server.origin, await tokenFor([deposits]));
    const nobody = await listen(server.origin, await tokenFor([]));
    expect(all.contentType).toBe('text/event-stream; charset=utf-8');
    const gameId = await buildGame(server.db);
    const depositId = await placeDeposit();
    await sql`
      insert into withdrawal ("userId", amount, "receiveAccountNo") values (${userId}, 5, '6222')`.execute(
      server.db,
    );
    await sql`
      insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, '1', now() - interval '20 minutes', now() - interval '15 minutes', 'OPENING')`.execute(
      server.db,
    );
    await sql`update draw_plan set "lateTime" = now() where "gameId" = ${gameId}`.execute(server.db);
    await sql`
      insert into draw_record ("gameId", phase, result, "openTime") values (${gameId}, '0', '1,2,3', now())`.execute(
      server.db,
    );
    await sql`
      insert into settlement ("gameId", phase, kind, "recordId", result)
      select "gameId", phase, 'FIRST', id, result from draw_record where "gameId" = ${gameId}`.execute(
      server.database.owner,
    );
    await sql`update settlement set status = 'HELD' where "gameId" = ${gameId}`.execute(
      server.database.owner,
    );
    await sql`update draw_record set conflict = true where "gameId" = ${gameId}`.execute(server.db);
    await sql`
      insert into spider ("gameId", name, "spiderServiceName") values (${gameId}, '失败的', 'OpenCodeSpider')`.execute(
      server.db,
    );
    await sql`update spider set "consecutiveFailures" = 1 where "gameId" = ${gameId}`.execute(server.db);
    // One that is switched off fails no more.
    await sql`
      insert into spider ("gameId", name, "spiderServiceName", enabled, "consecutiveFailures")
      values (${gameId}, '停用的', 'OpenCodeSpider', false, 3)`.execute(server.db);
    // Somebody else's, one of the listener's own, and one that nobody released in time.
    await sql`
      insert into approval ("expireTime", call, summary, release, why, input, digest, "makerId", maker, "makerSession", "makerAddress", "makerAgent")
      select now() + due, 'markWithdrawal', '标记提现订单', 'approval:release:money', '金额', '{}', '', maker, 'm', gen_random_uuid(), '', ''
      from (values (interval '1 hour', 0), ('1 hour', (select id from operator where "userName" = 'admin')), ('-1 hour', 0)) as a (due, maker)`.execute(
      server.db,
    );
    const waiting = {
      deposit: 1,
      withdrawal: 1,
      approval: 2,
      releasable: 1,
      drawPlan: 1,
      drawRecord: 1,
      spider: 1,
      settlement: 1,
    };
    await expect
      .poll(() => all.told.findLast((news) => news.waiting)?.waiting, { timeout: 30_000 })
      .toEqual(waiting);
    expect(new Set(all.happenings().map(({ noun }) => noun))).toEqual(
      new Set(['deposit', 'withdrawal', 'approval', 'drawPlan', 'drawRecord', 'spider', 'settlement']),
    );
    const deposit = {
      noun: 'deposit',
      id: depositId,
      what: 'ADDED',
      userId,
      gameId: null,
      status: 'PROCESSING',
    };
    expect(all.happenings()).toContainEqual(deposit);

    await hears(cashier, 'deposit', [depositId]);
    expect(cashier.happenings()).toEqual([deposit]);
    expect(cashier.told.findLast((news) => news.waiting)?.waiting).toEqual({
      ...Object.fromEntries(Object.keys(waiting).map((noun) => [noun, null])),
      deposit: 1,
    });
    expect(nobody.happenings()).toEqual([]);
    const polled = await server.withToken(admin).call(getHappenings, {});
    expect(polled.envelope.data).toMatchObject({ complete: true, waiting, happenings: [] });

    await sql`update deposit set status = 'FAIL', "reviewTime" = now() where id = ${depositId}`.execute(
      server.db,
    );
    await expect
      .poll(() => cashier.happenings().at(-1), { timeout: 30_000 })
      .toEqual({ ...deposit, what: 'CHANGED', status: 'FAIL' });
    await expect.poll(() => cashier.told.at(-1)?.waiting?.deposit, { timeout: 30_000 }).toBe(0);
  });

  it('misses nothing of a transaction that commits after a later one', async () => {
    const stream = await listen(server.origin, await tokenFor([deposits]));
    const { promise: committing, resolve: commit } = Promise.withResolvers<void>();
    const { promise: early, resolve: placed } = Promise.withResolvers<number>();
    const slow = server.db.transaction().execute(async (tx) => {
      placed(await placeDeposit(tx));
      await committing;
    });
    const first = await early;
    const second = await placeDeposit();
    await hears(stream, 'deposit', [second]);
    expect(idsOf(stream.happenings(), 'deposit')).toEqual([second]);
    commit();
    await slow;
    await hears(stream, 'deposit', [first]);
  });

  it('goes on at another server where it stopped, and by the plain call', async () => {
    const token = await tokenFor([deposits]);
    const stream = await listen(server.origin, token);
    const before = await placeDeposit();
    await hears(stream, 'deposit', [before]);
    const last = stream.lastId();
    stream.close();
    const missed = [await placeDeposit(), await placeDeposit()];
    await sql`update deposit set status = 'FAIL', "reviewTime" = now() where id = ${missed[0]}`.execute(
      server.db,
    );
    const again = await listen(other.origin, token, last);
    expect(again.told[0]).toMatchObject({ complete: true });
    expect(again.happenings().map(({ id, what, status }) => [id, what, status])).toEqual(
      [
        [missed[1], 'ADDED', 'PROCESSING'],
        [missed[0], 'ADDED', 'FAIL'],
      ].sort(([a], [b]) => Number(a) - Number(b)),
    );
    const client = server.withToken(token);
    const polled = (await client.call(getHappenings, { since: last })).envelope.data;
    expect(idsOf(polled?.happenings ?? [], 'deposit').sort()).toEqual(missed.toSorted());
    const rest = (await client.call(getHappenings, { since: polled?.cursor })).envelope.data;
    expect(rest).toMatchObject({ complete: true, happenings: [] });
  });

  it.each(['nonsense', '1-5:5:', '99999999999-99999999999:99999999999:'])(
    'says that it does not know what came after %s',
    async (since) => {
      await placeDeposit();
      const stream = await listen(server.origin, admin, since);
      expect(stream.told[0]).toMatchObject({ complete: false, happenings: [] });
      const { envelope } = await server.withToken(admin).call(getHappenings, { since });
      expect(envelope.data).toMatchObject({ complete: false, happenings: [] });
    },
  );

  it('ends at once when rights are withdrawn or the session is over', async () => {
    const { username, roleId } = await buildOperator(server.db, { grants: [deposits, withdrawals] });
    const client = await server.as(username, PASSWORD);
    const stream = await listen(other.origin, client.token);
    const menu = await server.db
      .selectFrom('menu')
      .select('id')
      .where('path', '=', withdrawals)
      .executeTakeFirstOrThrow();
    await replaceMenus(server.db, roleId, [menu.id]);
    await bumpEpoch(server.db, 'everyone');
    const hidden = await placeDeposit();
    await stream.ended;
    expect(idsOf(stream.happenings(), 'deposit')).not.toContain(hidden);

    const again = await listen(other.origin, client.token, stream.lastId());
    expect(again.told[0]?.waiting).toMatchObject({ deposit: null });
    expect(again.happenings()).toEqual([]);
    await client.call(logout, {});
    await again.ended;
    const after = await fetch(`${other.origin}/api${getHappenings.path}`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${client.token}` },
    });
    expect(await after.json()).toMatchObject({ success: false, code: 401 });
  });

  it('keeps so many streams of an operator, and no more', async () => {
    const token = await tokenFor([deposits]);
    for (let i = 0; i < 12; i++) expect((await listen(server.origin, token)).status).toBe(200);
    expect((await listen(server.origin, token)).status).toBe(429);
    opened.shift()?.close();
    await expect.poll(async () => (await listen(server.origin, token)).status).toBe(200);
  });

  it('ends with its server', async () => {
    const third = await startTestServer({}, server.database);
    const stream = await listen(third.origin, admin);
    await third.close();
    await stream.ended;
  });

  it('is cleaned after an hour', async () => {
    await placeDeposit();
    await sql`update happening set "createTime" = now() - interval '2 hours'`.execute(server.db);
    const kept = await placeDeposit();
    while ((await deleteOldHappenings(server.db, 10)) > 0);
    const left = await server.db.selectFrom('happening').select('rowId').execute();
    expect(left.map(({ rowId }) => rowId)).toEqual([kept]);
  });
});
