import { hash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { contract } from '#contract/all.ts';
import { listBetLatitudesByPlayWayCategory } from '#contract/bet-latitudes.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { exportFormats, isExportable, PROGRESS_HEADER } from '#contract/export-formats.ts';
import { listMenus } from '#contract/menus.ts';
import { addNews, pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { bindOperatorRoles, disableOperator, listOperators } from '#contract/operators.ts';
import { requestFor } from '#contract/request.ts';
import { listRoles } from '#contract/roles.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { unzipped } from '#server/testing/unzip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

function exportOf<E extends AnyEndpoint>(
  { token }: Pick<TestClient, 'token'>,
  endpoint: E,
  input: WireInput<E>,
  { format = 'csv' as 'csv' | 'xlsx', headers = {}, signal = new AbortController().signal } = {},
): Promise<Response> {
  const { method, url, contentType, body } = requestFor(endpoint, input);
  return fetch(server.origin + url, {
    method,
    body,
    signal,
    headers: {
      accept: exportFormats[format],
      authorization: `Bearer ${token}`,
      ...(contentType ? { 'content-type': contentType } : {}),
      ...headers,
    },
  });
}

const linesOf = async (response: Response) => (await response.text()).split('\r\n').slice(0, -1);

const readerOfNews = async (): Promise<TestClient> => {
  const { username } = await buildOperator(server.db, { grants: ['/main/news/news'] });
  return server.as(username, PASSWORD);
};

async function buildNews(count: number, name: string): Promise<number> {
  const admin = await server.admin();
  const categoryId = given((await admin.call(addNewsCategory, { name })).envelope.data);
  await sql`insert into news ("categoryId", title, content)
    select ${categoryId}::bigint, 'n' || i, 'x' from generate_series(1, ${count}::int) i`.execute(server.db);
  return categoryId;
}

const openSnapshots = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(server.db);
  return rows[0]?.n;
};

/** Transactions that wait for a lock on the news. */
const waiting = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_locks
    where not granted and relation = 'news'::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(server.db);
  return rows[0]?.n;
};

/** Keeps everybody from reading news. */
async function holdNews() {
  const transaction = await server.database.owner.startTransaction().execute();
  await sql`lock table news in access exclusive mode`.execute(transaction);
  return { letGo: () => transaction.commit().execute() };
}

/** Lists that the database is writing. */
const copies = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy (%'`.execute(
    server.db,
  );
  return rows[0]?.n;
};

// A list that must be told what it is of is shown by a dialog and not by a screen.
const lists = Object.entries<AnyEndpoint>(contract).filter(
  ([, endpoint]) => isExportable(endpoint) && endpoint.input.safeParse({}).success,
);

describe('the export of a list', () => {
  it.each(lists)('%s comes as CSV and as a workbook', async (_name, endpoint) => {
    const admin = await server.admin();
    const csv = await exportOf(admin, endpoint, {});
    const start = new Uint8Array(await csv.arrayBuffer()).slice(0, 3);
    expect({ status: csv.status, mark: [...start] }).toEqual({ status: 200, mark: [0xef, 0xbb, 0xbf] });
    const workbook = await exportOf(admin, endpoint, {}, { format: 'xlsx' });
    const parts = unzipped(Buffer.from(await workbook.arrayBuffer()));
    expect(parts.get('xl/worksheets/sheet1.xml')).toMatch(/<\/sheetData><\/worksheet>$/);
  });

  it('holds the contract’s words, names for ids, and no formula, with the current search', async () => {
    const admin = await server.admin();
    const categoryId = given((await admin.call(addNewsCategory, { name: '=公告' })).envelope.data);
    await admin.call(addNews, { categoryId, title: '=HYPERLINK("x")', content: '一\n二', important: true });
    await buildNews(2, '别的分类');
    const response = await exportOf(admin, pageNews, { categoryId, pageSize: 1, currentPage: 9 });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="export.csv"; filename\*=UTF-8''%E6%96%B0%E9%97%BB-\d{14}\.csv$/,
    );
    // The name is dated by the platform's clock, as its rows are.
    const stamp = /-(\d{14})\.csv$/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
    const parts = /(....)(..)(..)(..)(..)(..)/.exec(stamp)?.slice(1).map(Number) ?? [];
    const [year = 0, month = 1, day, hour, minute, second] = parts;
    const now = new Intl.DateTimeFormat('sv', {
      timeZone: server.config.timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const off =
      Date.UTC(year, month - 1, day, hour, minute, second) -
      Date.parse(`${now.format(new Date()).replace(' ', 'T')}Z`);
    expect(Math.abs(off)).toBeLessThan(60_000);
    expect(response.headers.get(PROGRESS_HEADER)).toBe('1');
    const [head, row, ...rest] = await linesOf(response);
    // fetch takes the byte order mark off.
    expect(head).toBe('编号,新闻分类,标题,内容,重要,发布时间');
    expect(row).toMatch(/^\d+,'=公告,"'=HYPERLINK\(""x""\)","一\n二",是,\d{4}-/);
    expect(rest).toEqual([]);
  });

  it('lists a tree row by row', async () => {
    const lines = await linesOf(await exportOf(await server.admin(), listMenus, {}));
    expect(lines.some((line) => line.includes(',菜单管理,菜单,'))).toBe(true);
    expect(lines.some((line) => line.includes(',新增菜单,按钮,'))).toBe(true);
  });

  it('is open to whoever may see the list, and to nobody else', async () => {
    const { username, password } = await buildOperator(server.db, { grants: ['/main/pms/role'] });
    const client = await server.as(username, password);
    expect((await exportOf(client, listRoles, {})).headers.get('content-type')).toContain('text/csv');
    for (const format of ['csv', 'xlsx'] as const) {
      const denied = await exportOf(client, listOperators, {}, { format });
      expect({ status: denied.status, body: await denied.json() }).toMatchObject({
        status: 403,
        body: { success: false, msg: '权限不足!' },
      });
      const nobody = await exportOf({ token: '' }, listRoles, {}, { format });
      expect(await nobody.json()).toMatchObject({ success: false, code: 401 });
    }
  });

  it('refuses a wrong search like the list itself', async () => {
    const wrong = await exportOf(await server.admin(), pageNews, { categoryId: 'x' });
    expect(await wrong.json()).toMatchObject({ success: false, code: 400 });
  });

  it('that its list refuses takes no place from others', async () => {
    const admin = await server.admin();
    for (let n = 0; n < 4; n++) {
      const refused = await exportOf(admin, listBetLatitudesByPlayWayCategory, { id: 987_654 });
      expect(await refused.json()).toMatchObject({ success: false, msg: '记录不存在' });
    }
  });

  it('is written down: who took which list with which search', async () => {
    const admin = await server.admin();
    await (await exportOf(admin, listRoles, { name: 'audited' })).text();
    const record = await server.db
      .selectFrom('change_record')
      .selectAll()
      .where('call', '=', 'listRoles')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(record).toMatchObject({
      userName: 'admin',
      summary: '导出角色',
      input: { name: 'audited' },
      msg: '共 0 行',
    });
  });

  it.each(['gzip', 'identity'])(
    'is complete and without doubles (%s) although rows come and go meanwhile, and tells how far it is',
    async (encoding) => {
      const admin = await server.admin();
      const categoryId = await buildNews(12_345, `很多 ${encoding}`);
      const headers = { [PROGRESS_HEADER]: '1', 'accept-encoding': encoding };
      const response = await exportOf(admin, pageNews, { categoryId }, { headers });
      // The snapshot stands when the head of the answer is there; what comes and goes now is no part of it.
      await sql`delete from news where "categoryId" = ${categoryId} and id % 2 = 0`.execute(server.db);
      await sql`insert into news ("categoryId", title, content)
      select ${categoryId}::bigint, 'late' || i, 'x' from generate_series(1, 3000) i`.execute(server.db);
      const bytes = Buffer.from(await response.arrayBuffer());
      const counts: number[] = [];
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
        counts.push(bytes.readUInt32BE(at));
        pieces.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at + 4)));
      }
      expect(response.headers.get(PROGRESS_HEADER)).toBe('12345');
      expect(counts).toEqual([0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 9_600, 12_345]);
      const titles = [
        ...Buffer.concat(pieces)
          .toString('utf8')
          .matchAll(/,(n\d+|late\d+),/g),
      ].map((m) => m[1]);
      expect(titles).toEqual(Array.from({ length: 12_345 }, (_, i) => `n${12_345 - i}`));
      await expect.poll(openSnapshots).toBe(0);
    },
  );

  it('is packed on its way to whoever takes it packed, unless it is a workbook, which is packed already', async () => {
    const admin = await server.admin();
    const categoryId = await buildNews(3, '包装');
    for (const [format, packed] of [
      ['csv', 'gzip'],
      ['xlsx', null],
    ] as const) {
      const headers = { [PROGRESS_HEADER]: '1', 'accept-encoding': 'gzip' };
      const response = await exportOf(admin, pageNews, { categoryId }, { headers, format });
      expect(response.headers.get('content-encoding'), format).toBe(packed);
      const bytes = Buffer.from(await response.arrayBuffer());
      // A piece begins after the eight bytes of its frame: a byte order mark, or the head of an archive.
      expect(bytes.subarray(8, 10).toString('hex'), format).toBe(format === 'csv' ? 'efbb' : '504b');
    }
  });

  it.runIf(process.platform === 'linux')('lets whoever looks at a list go first', async () => {
    await linesOf(await exportOf(await server.admin(), pageNews, {}));
    const threads = readdirSync('/proc/self/task').map((id) =>
      readFileSync(`/proc/self/task/${id}/stat`, 'utf8'),
    );
    // What follows the name, which may hold anything: the nineteenth of all is how nice a thread is.
    const niceOf = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    const own = getPriority();
    expect(threads.filter((stat) => niceOf(stat) > own)).toHaveLength(1);
  });

  it('lets go of the database when its reader goes away, and takes three readers at once', async () => {
    const admin = await server.admin();
    const categoryId = await buildNews(1, `大 ${randomUUID()}`);
    await sql`insert into news ("categoryId", title, content)
      select ${categoryId}::bigint, 'n' || i, repeat(md5(i::text), 60) from generate_series(1, 12000) i`.execute(
      server.db,
    );
    const aborts = [0, 1, 2].map(() => new AbortController());
    // In frames nothing is compressed, so that the file outgrows every buffer on the way.
    const headers = { [PROGRESS_HEADER]: '1' };
    // Two are the most for one operator.
    const other = await readerOfNews();
    const readers = await Promise.all(
      aborts.map(({ signal }, n) =>
        exportOf(n < 2 ? admin : other, pageNews, { categoryId }, { signal, headers }),
      ),
    );
    // The fourth stands in line until one of them goes.
    const fewId = await buildNews(1, `小 ${randomUUID()}`);
    const fourth = exportOf(admin, pageNews, { categoryId: fewId }).then(linesOf);
    const early = await Promise.race([fourth, sleep(500, 'waits')]);
    expect(early).toBe('waits');
    // An answer that nobody holds any more is collected, and its reader goes away with it.
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);
    aborts[0]?.abort();
    expect((await fourth).length).toBe(2);
    for (const abort of aborts) abort.abort();
    await expect.poll(openSnapshots, { timeout: 30_000 }).toBe(0);
  });

  it('of a list that the database writes lets go of it too, half way, and is read to its end by the next', async () => {
    const admin = await server.admin();
    const { userId } = await buildUser(server.db);
    await sql`insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "desc", hash)
      select ${userId}::bigint, i, 0, 1, 1, 'IN', 'WIN', repeat(md5(i::text), 15), '' from generate_series(1, 30000) i`.execute(
      server.database.owner,
    );
    const headers = { [PROGRESS_HEADER]: '1' };
    const abort = new AbortController();
    const answer = await exportOf(admin, pageAccountHistory, {}, { signal: abort.signal, headers });
    const total = Number(answer.headers.get(PROGRESS_HEADER));
    expect(total).toBeGreaterThanOrEqual(30_000);
    await expect.poll(copies, { timeout: 20_000 }).toBe(1);
    abort.abort();
    await expect.poll(copies, { timeout: 30_000 }).toBe(0);
    await expect.poll(openSnapshots, { timeout: 30_000 }).toBe(0);
    const lines = await linesOf(await exportOf(admin, pageAccountHistory, {}));
    expect(lines.length).toBe(total + 1);
    // Pieces are packed while the next are written: none may be written over.
    const told = lines
      .map((line) => /([0-9a-f]{32})\1{14}/.exec(line)?.[1])
      .filter((each) => each !== undefined);
    const sent = Array.from({ length: 30_000 }, (_, at) => hash('md5', String(30_000 - at)));
    expect(told.slice(0, 30_000)).toEqual(sent);
  });

  it.each([
    ['loses the list', (id: number) => ({ call: bindOperatorRoles, input: { oid: id, roleIds: [] } })],
    ['is disabled', (id: number) => ({ call: disableOperator, input: { id } })],
  ] as const)('ends half way when its operator %s', async (_, act) => {
    const admin = await server.admin();
    const { id, username } = await buildOperator(server.db, { grants: ['/main/news/news'] });
    const categoryId = await buildNews(1, username.slice(0, 40));
    await sql`insert into news ("categoryId", title, content)
      select ${categoryId}::bigint, md5(i::text), repeat(md5(i::text), 60) from generate_series(1, 12000) i`.execute(
      server.db,
    );
    const headers = { [PROGRESS_HEADER]: '1' };
    const answer = await exportOf(await server.as(username, PASSWORD), pageNews, { categoryId }, { headers });
    expect(answer.status).toBe(200);
    // More than the buffers on the way hold is still to come.
    const { call, input } = act(id);
    expect((await admin.call<AnyEndpoint>(call, input)).envelope.success).toBe(true);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await expect.poll(openSnapshots, { timeout: 30_000 }).toBe(0);
  });

  it.each(['in frames', 'packed', 'before it begins'])(
    'that its reader leaves (%s) is no fault of the server',
    async (how) => {
      const log: { level: number; msg: string }[] = [];
      const own = await startTestServer({ logLevel: 'info' }, server.database, {
        logTo: { write: (line) => log.push(JSON.parse(line)) },
      });
      const { token } = await own.admin();
      // Of the start nothing counts: it may miss a console that is not built yet.
      log.length = 0;
      const categoryId = await buildNews(1, `离开 ${randomUUID().slice(0, 8)}`);
      await sql`insert into news ("categoryId", title, content)
      select ${categoryId}::bigint, md5(i::text), repeat(md5(i::text), 60) from generate_series(1, 12000) i`.execute(
        server.db,
      );
      const { method, url, body, contentType } = requestFor(pageNews, { categoryId });
      const abort = new AbortController();
      // Nobody reads this list until it is let go of: the snapshot stands, and waits for its first page.
      const held = how === 'before it begins' ? await holdNews() : undefined;
      const answer = fetch(own.origin + url, {
        method,
        body,
        signal: abort.signal,
        headers: {
          accept: exportFormats.csv,
          authorization: `Bearer ${token}`,
          ...(contentType ? { 'content-type': contentType } : {}),
          ...(how === 'packed' ? { 'accept-encoding': 'gzip' } : { [PROGRESS_HEADER]: '1' }),
        },
      });
      if (held) await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
      else await answer;
      abort.abort();
      await answer.catch(() => undefined);
      await held?.letGo();
      await expect.poll(openSnapshots, { timeout: 30_000 }).toBe(0);
      await expect
        .poll(() => log.map(({ msg }) => msg), { timeout: 30_000 })
        .toContain('the reader of an export went away');
      expect(log.filter(({ level }) => level >= 40)).toEqual([]);
      await own.close();
    },
  );
});
