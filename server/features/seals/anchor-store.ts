import { sql } from 'kysely';
import type { pageAnchors as pageOfAnchors } from '#contract/anchors.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import { page } from '#server/db/page.ts';
import { equals, on, where, within } from '#server/db/where.ts';
import { readParam } from '#server/params/read-param.ts';
import type { Vault } from '#server/vault.ts';
import { type Anchor, type AnchorContent, codeOf } from './anchor.ts';
import { lockSeals } from './seal-rows.ts';
import { readHeads } from './seal-store.ts';

/** When the next anchor is due, in epoch milliseconds; never where none are taken. Now, where the clock was set back behind the last. */
export async function nextAnchor(db: Db): Promise<number | undefined> {
  const minutes = await readParam(db, 'anchor.minutes');
  if (minutes === 0) return undefined;
  return dueAt(
    db,
    sql`select coalesce(max("createTime") filter (where "createTime" <= clock_timestamp()) + ${minutes} * interval '1 minute', now())
    from (select "createTime" from anchor order by id desc limit 1) as last`,
  );
}

const send = (db: Db, no: number, way: 'MAIL' | 'WEBHOOK') =>
  sql`insert into anchor_sending ("anchorNo", way) values (${no}, ${way})`.execute(db);

/** Seals the heads into an anchor, and puts it on its way; nothing while another server seals. */
export const takeAnchor = (db: Db, vault: Vault): Promise<Anchor | undefined> =>
  db.transaction().execute(async (tx) => {
    if (!(await lockSeals(tx))) return undefined;
    const { rows } = await sql<{ no: number; code: string; time: string }>`
      select coalesce(max(id), 0) as no, coalesce((select code from anchor order by id desc limit 1), '') as code,
        to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as time from anchor`.execute(
      tx,
    );
    const heads = (await readHeads(tx)).map(({ kind, no, rows: sealed, mac }) => ({
      ...{ kind, no, rows: sealed },
      mac: mac.toString('hex'),
    }));
    const { no = 0, code: previous = '', time = '' } = rows[0] ?? {};
    const content: AnchorContent = { version: 1, no: no + 1, time, heads, previous };
    const anchor: Anchor = { ...content, code: codeOf(vault, content) };
    await sql`insert into anchor (id, code, content) values (${anchor.no}, ${anchor.code}, ${JSON.stringify(anchor)})`.execute(
      tx,
    );
    if (await readParam(tx, 'anchor.mailTo')) await send(tx, anchor.no, 'MAIL');
    if (await readParam(tx, 'anchor.webhookUrl')) await send(tx, anchor.no, 'WEBHOOK');
    return anchor;
  });

/** Anchors after a number, the oldest first, as they are exported. */
export async function readAnchors(
  db: Db,
  after: number,
  most: number,
): Promise<{ no: number; content: string }[]> {
  const { rows } = await sql<{ no: number; content: string }>`
    select id as no, content from anchor where id > ${after} order by id limit ${most}`.execute(db);
  return rows;
}

/** A page of anchors, the newest first, each with how it fared on its way. */
export function pageAnchors(db: Db, filter: Input<typeof pageOfAnchors>) {
  const asked = where(filter, { code: equals, createTimeRange: on('createTime', within) });
  const sending = (way: 'MAIL' | 'WEBHOOK') =>
    sql<string | null>`(select "sentTime" from anchor_sending where "anchorNo" = anchor.id and way = ${way})`;
  const query = db
    .selectFrom('anchor')
    .where(asked)
    .select(['id', 'createTime', 'code', 'content'])
    .select([
      sql<number>`(select sum((head ->> 'rows')::bigint)::bigint from jsonb_array_elements(content::jsonb -> 'heads') as head)`.as(
        'rows',
      ),
      sending('MAIL').as('mailTime'),
      sending('WEBHOOK').as('webhookTime'),
      sql<
        string | null
      >`(select string_agg("lastError", '；') from anchor_sending where "anchorNo" = anchor.id)`.as(
        'problem',
      ),
    ]);
  return page(db, query, filter);
}
