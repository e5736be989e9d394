import { createServer } from 'node:http';
import postgres, { type Sql } from 'postgres';
import { columnTypes } from '#server/db/driver/column-types.ts';

/** What the ledger is asked for. */
export interface LedgerPage {
  userId?: number;
  readonly changeType?: string;
  readonly range?: readonly [string, string];
  currentPage?: number;
  readonly pageSize?: number;
}

/** Where each request is answered what itself asks for. */
const APART = '/apart';

interface Row {
  id: number;
  userId: number;
  username: string | null;
  nickName: string;
  changeType: string;
  bizOrderNo: string | null;
}

const columns = (page: string): string => `
  select h.id, h."originAmount", h.amount, h."newAmount", h.direction, h."changeType", h."bizOrderNo", h."desc", h."createTime",
    (h.id <= coalesce((select max("toId") from seal where kind = 'LEDGER' and not late), 0)
      and not exists (select from seal_gap where kind = 'LEDGER' and ids::int8multirange @> h.id)) as sealed,
    h."userId", p.username, p."nickName"
  from (${page}) as h join player p on p.id = h."userId" order by h.id desc`;

const counted = `
  select ((select coalesce(sum(n), 0) from list_count where list = 'account_history' and key = '*' and "timeBits" = 63 and "idBits" = 63)
    + (select coalesce(sum(n), 0) from list_delta where list = 'account_history'))::bigint as n`;
// The usual size is told, so that the plan is kept; see `page.ts`.
const newest = (pageSize: number, skip: number) =>
  columns(
    `select * from account_history order by id desc limit ${pageSize}${skip > 0 ? ` offset ${skip}` : ''}`,
  );

const lastOfUser = '(select "lastSeq" from account where "userId" = $1)';
const countedOfUser = 'select "lastSeq" as n from account where "userId" = $1';
const ofUser = columns(`
  select * from account_history where "userId" = $1 and "accountSeq" <= ${lastOfUser} - $2::bigint
    and "accountSeq" > ${lastOfUser} - $2::bigint - $3::bigint order by "accountSeq" desc, id desc limit $3`);

const place = `
  select r."totalCount" as n, r.bound, r.skip from (
    select array_agg(e.block) as blocks, array_agg(e.n) as counts
    from counted_list l, time_blocks($1::timestamptz, $2::timestamptz, l."timeBits") as b, lateral (
      select t.id >> 9 as block, count(*) as n from account_history t where t."createTime" >= to_timestamp(b.first)
        and t."createTime" < to_timestamp(b.last + 1) and t."changeType" = $3 group by 1) as e
    where l.list = 'account_history' and b.bits = 0 and b.first <= b.last) as edge,
  locate_rows('account_history', array[$3], $1::timestamptz, $2::timestamptz, $4::bigint, edge.blocks, edge.counts) as r`;
const placeOfAll = `
  select r."totalCount" as n, r.bound, r.skip
  from locate_rows('account_history', null, null, null, $1::bigint, null::bigint[], null::bigint[]) as r`;
const fromPlace = columns('select * from account_history where id <= $1 order by id desc limit $2 offset $3');
const ofTypeFromPlace = columns(`
  select * from account_history where "changeType" = $4 and "createTime" + interval '0' >= $5::timestamptz
    and "createTime" + interval '0' < $6::timestamptz + interval '1 second' and id <= $1 order by id desc limit $2 offset $3`);

const told = ({ userId, username, nickName, ...row }: Row) => ({
  ...row,
  external: ['BET', 'WIN'].includes(row.changeType) && !row.bizOrderNo?.startsWith('B'),
  account: { userId, username, nickName },
});

type Ask = <R>(text: string, ...values: unknown[]) => Promise<R[]>;

/** The page by as few trips as a plain handler takes: what does not wait for another goes out with it. */
async function pageBy(ask: Ask, asked: LedgerPage) {
  const { userId, changeType, range, currentPage = 1, pageSize = 20 } = asked;
  const skip = (currentPage - 1) * pageSize;
  type Count = { n: number; bound: number | null; skip: number };
  if (userId !== undefined || skip < 1_000) {
    if (!range) {
      const [[total], rows] = await (userId === undefined
        ? Promise.all([ask<Count>(counted), ask<Row>(newest(pageSize, skip))])
        : Promise.all([ask<Count>(countedOfUser, userId), ask<Row>(ofUser, userId, skip, pageSize)]));
      return { totalCount: total?.n ?? 0, data: rows.map(told) };
    }
  }
  const [found] = await (range
    ? ask<Count>(place, ...range, changeType, skip)
    : ask<Count>(placeOfAll, skip));
  if (!found || found.bound === null) return { totalCount: found?.n ?? 0, data: [] };
  const limit = Math.min(pageSize, found.n - skip);
  const cut = [found.bound, limit, found.skip];
  const rows = await (range
    ? ask<Row>(ofTypeFromPlace, ...cut, changeType, ...range)
    : ask<Row>(fromPlace, ...cut));
  return { totalCount: found.n, data: rows.map(told) };
}

const asking =
  (sql: Sql): Ask =>
  async (text, ...values) =>
    (await sql.unsafe(
      text,
      values.map((value) => sql.typed(value as string, 0)),
      // Without values the driver would have it planned at each call.
      { prepare: true, simple: false } as object,
    )) as never;

async function bodyOf(request: AsyncIterable<Buffer>): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

/**
 * Bare node:http over postgres.js that answers any request with this page of the ledger, in the very bytes of ours; at `apart` with the page or the
 * player that the request asks for.
 */
export async function bareLedger(url: string, timeZone: string, asked: LedgerPage) {
  const sql = postgres(url, {
    max: 16,
    connection: { TimeZone: timeZone },
    types: columnTypes,
    onnotice: () => {},
  });
  const ask = asking(sql);
  const server = createServer(async (request, response) => {
    const wanted = { ...asked };
    if (request.url === APART)
      for (const [name, value] of await bodyOf(request))
        if (name === 'userId' || name === 'currentPage') wanted[name] = Number(value);
    const data = await pageBy(ask, wanted);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ success: true, msg: null, data, code: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url: `${origin}/`,
    apart: origin + APART,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await sql.end();
    },
  };
}
