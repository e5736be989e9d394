import { sql } from 'kysely';
import { slipStatus } from '#contract/slips.ts';
import type { Db } from '#server/db/database.ts';
import { wordIn } from '#server/db/words.ts';
import { note, type SealProof } from './proof.ts';
import type { SealKind } from './seal-kinds.ts';

interface Found {
  problem: string;
}
const MOST = 1_000;
const time = (column: string) => sql.raw(`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`);

/** What changes in the course of things must be what the sealed rows make of it: accounts, results with their sources, promises and slips as they stand. */
const checks: readonly (readonly [SealKind, ReturnType<typeof sql<Found>>])[] = [
  [
    'LEDGER',
    sql<Found>`
      select '用户 ' || a."userId" || ' 的账户与最后一条账变不符：账户记 ' || a."lastSeq" || ' 条、总金额 ' || a."totalAmount"
        || '，账变有 ' || coalesce(h."accountSeq", 0) || ' 条、余 ' || coalesce(h."newAmount", 0)
        || coalesce('，最后一条在 ' || ${time('h."createTime"')}, '') as problem
      from account a left join lateral (
        select "accountSeq", "newAmount", hash, "createTime" from account_history r where r."userId" = a."userId" order by "accountSeq" desc limit 1) h on true
      where (a."lastSeq", a."totalAmount", a."lastHash") is distinct from (coalesce(h."accountSeq", 0), coalesce(h."newAmount", 0), coalesce(h.hash, ''))
      limit ${MOST}`,
  ],
  [
    'DRAW',
    sql<Found>`
      select '开奖记录（编号 ' || r.id || '，期号 ' || r.phase || '，' || ${time('r."openTime"')} || '）的结果 ' || r.result || ' 不是最后一次更正的 ' || c."newResult" as problem
      from (select distinct on ("recordId") "recordId", "newResult" from draw_correction order by "recordId", id desc) as c
        join draw_record r on r.id = c."recordId" where r.result <> c."newResult" limit ${MOST}`,
  ],
  [
    'SOURCE',
    sql<Found>`
      select '开奖记录（编号 ' || r.id || '，期号 ' || r.phase || '，' || ${time('r."openTime"')} || '）的来源 ' || coalesce(r.source, '不详') || ' 不是最后一次更正的 ' || coalesce(nullif(c."newSource", ''), '不详') as problem
      from (select distinct on ("recordId") "recordId", "newSource" from draw_correction order by "recordId", id desc) as c
        join draw_record r on r.id = c."recordId" where coalesce(r.source, '') <> c."newSource" limit ${MOST}`,
  ],
  [
    'PROMISE',
    sql<Found>`
      select '开奖承诺（游戏 ' || c."gameId" || '，期号 ' || c.phase || '，' || ${time('c."createTime"')} || '）没有记下次序，不是由服务作出的' as problem
      from draw_commitment c where not exists (select from promise_order o where o."gameId" = c."gameId" and o.phase = c.phase) limit ${MOST}`,
  ],
  [
    'SLIP',
    sql<Found>`
      select '注单 ' || s."bizNo" || '（编号 ' || s.id || '，' || ${time('s."createTime"')} || '）的状态“' || ${wordIn(sql`s.status`, slipStatus)} || '”、派彩 ' || s.payout || '、退还 ' || s.refund
        || ' 与最后一次结算不符' || coalesce('（' || ${wordIn(sql`o.status`, slipStatus)} || '、' || o.payout || '、' || o.refund || '）', '（没有结算）') as problem
      from slip s left join lateral (
        select status, payout, refund from slip_settlement o where o."slipId" = s.id order by n desc limit 1) o on true
      where s.payout <> coalesce(o.payout, 0) or s.status <> 'CANCELLED' and s.refund <> coalesce(o.refund, 0)
        or s.status in ('WON', 'LOST', 'PUSHED', 'VOID') and s.status is distinct from o.status
      limit ${MOST}`,
  ],
];

/** Each in one statement, so that it holds while money moves. */
export async function proveStanding(db: Db, proof: SealProof): Promise<void> {
  for (const [kind, check] of checks)
    for (const { problem } of (await check.execute(db)).rows) note(proof, kind, problem);
}
