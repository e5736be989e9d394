import { type RawBuilder, sql } from 'kysely';
import { DrawPlan } from '#contract/draw-plans.ts';
import { type Found, MOST_FOUND } from '#contract/finding.ts';
import { orderStatus } from '#contract/named-fields.ts';
import type { Db } from '#server/db/database.ts';
import { beginning, containing } from '#server/db/search.ts';
import { containsName, isWide } from '#server/db/where.ts';
import { wordIn } from '#server/db/words.ts';

/** How each noun is looked up; every one by an index, or in a table of few rows. */
type Lookup = (text: string) => RawBuilder<unknown> | undefined;

const LARGEST_ID = Number.MAX_SAFE_INTEGER;
/** An index of three letters at a time cannot help to find fewer in the midst of a text. */
const INDEXED_LETTERS = 3;

/** The id that a text may be; null equals no id. */
const idIn = (text: string): number | null => {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= LARGEST_ID ? number : null;
};
const partOf = (text: string): string =>
  [...text].length < INDEXED_LETTERS ? beginning(text) : containing(text);

const found = (
  noun: Found['noun'],
  from: RawBuilder<unknown>,
  { id = sql`r.id`, name = sql`null`, gameId = sql`null`, phase = sql`null` },
  title: RawBuilder<unknown>,
  detail: RawBuilder<unknown>,
) => sql`
  (select json_build_object('noun', ${noun}::text, 'id', ${id}, 'name', ${name}, 'gameId', ${gameId}, 'phase', ${phase},
    'title', left(${title}, 500), 'detail', left(${detail}, 500)) as row
  from ${from} limit ${MOST_FOUND})`;

const user: Lookup = (text) => {
  const part = partOf(text);
  const byId = sql`select p.* from player p where p.id = ${idIn(text)}`;
  const names = ['username', 'nickName', 'realName'] as const;
  const ways = (): RawBuilder<unknown>[] => {
    // Nearly everybody has a phone or a name with any one sign.
    if ([...text].length < 2) return [];
    return isWide(text)
      ? names.map((column) => containsName(text, `p.${column}`))
      : ['phone', ...names].map((column) => sql`p.${sql.ref(column)} ilike ${part}`);
  };
  const byText = ways().map((way) => sql`(select p.* from player p where ${way} limit ${MOST_FOUND})`);
  return found(
    'user',
    sql`(select distinct on (u.id) u.* from (${sql.join([byId, ...byText], sql` union all `)}) u order by u.id) r`,
    { name: sql`r."nickName"` },
    sql`r."nickName"`,
    sql`concat_ws(' · ', '用户编号 ' || r.id, r.username, r."realName", r.phone)`,
  );
};

/** Money as a sentence writes it, as `moneyText` does; a 9 stands only for a place that is needed. */
const moneyOf = (amount: RawBuilder<unknown>) => sql`to_char(${amount}, 'FM999,999,999,999,999,990.0099')`;

const order =
  (noun: 'deposit' | 'withdrawal'): Lookup =>
  (text) =>
    found(
      noun,
      sql`${sql.table(noun)} r where r.id = ${idIn(text)} or r."bankOrderNo" = ${text}`,
      {},
      sql`'订单 ' || r.id`,
      sql`concat_ws(' · ', '用户编号 ' || r."userId", '金额 ' || ${moneyOf(sql`r.amount`)}, r."bankOrderNo",
        ${wordIn(sql`r.status`, orderStatus)})`,
    );

const slip: Lookup = (text) =>
  found(
    'slip',
    sql`slip r where r.id = ${idIn(text)} or r."bizNo" = ${text}`,
    {},
    sql`'注单 ' || r.id`,
    sql`concat_ws(' · ', '用户编号 ' || r."userId", '期号 ' || r.phase, r."bizNo")`,
  );

const phase = (
  noun: 'drawPlan' | 'drawRecord',
  table: 'draw_plan' | 'draw_record',
  told: RawBuilder<unknown>,
): Lookup => {
  const detail = sql`concat_ws(' · ', g.name, ${told})`;
  const its = { gameId: sql`r."gameId"`, phase: sql`r.phase` };
  return (text) =>
    found(
      noun,
      sql`${sql.table(table)} r join game g on g.id = r."gameId" where r.phase = ${text}`,
      its,
      sql`'期号 ' || r.phase`,
      detail,
    );
};

const game: Lookup = (text) =>
  found(
    'game',
    sql`game r where r.name ilike ${containing(text)}`,
    { name: sql`r.name` },
    sql`r.name`,
    sql`'游戏编号 ' || r.id`,
  );

const lookups: Readonly<Record<Found['noun'], Lookup>> = {
  user,
  game,
  deposit: order('deposit'),
  withdrawal: order('withdrawal'),
  slip,
  drawPlan: phase('drawPlan', 'draw_plan', wordIn(sql`r.status`, DrawPlan.shape.status)),
  drawRecord: phase('drawRecord', 'draw_record', sql`r.result`),
};

/** What one statement finds of these nouns. Tables are not read through for what no index knows. */
export async function find(db: Db, text: string, nouns: readonly Found['noun'][]): Promise<Found[]> {
  const asked = nouns.flatMap((noun) => lookups[noun](text) ?? []);
  if (asked.length === 0) return [];
  const { rows } = await db.transaction().execute(async (tx) => {
    // Rows that are many by a planner's guess and few in truth must be found by their index all the same.
    await sql`set local enable_seqscan = off`.execute(tx);
    return sql<{ row: Found }>`select row from (${sql.join(asked, sql` union all `)}) found`.execute(tx);
  });
  return rows.map(({ row }) => row);
}
