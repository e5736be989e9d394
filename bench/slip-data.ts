import { sql } from 'kysely';
import { foldCounts } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import type { Betting } from '#server/testing/build-betting.ts';

interface SlipData {
  readonly betting: Betting;
  readonly count: number;
  readonly firstUser: number;
  readonly accounts: number;
}

const BATCH = 250_000;
const DAYS = 90;
/** So many slips a phase. */
const A_PHASE = 10_000;

/** Slips of 90 days with a line each, settled but for the newest; no money moves, since lists read none. Tells how far it is. */
export async function buildSlips(db: Db, data: SlipData, tell: (line: string) => void): Promise<void> {
  const { count, firstUser, accounts } = data;
  const { gameId, planId, bigSmall } = data.betting;
  await sql`
    insert into slip_rules (hash, "playWayId", "playWayName", "categoryName", "subCategoryName", rules)
    values ('bench', ${bigSmall}, '总和大小', '总和', '总和', '{"handler": "SumBigSmallHandler", "version": 1}')
    on conflict do nothing`.execute(db);
  await sql`set max_parallel_workers_per_gather = 0`.execute(db);
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(count, from + BATCH);
    await sql`
      with made as (
        insert into slip ("bizNo", "userId", "gameId", "planId", phase, "drawTime", status, stake, "acceptOdds", "testAccount", "contentHash",
          "createTime")
        select 'bench' || g, ${firstUser}::bigint + (g::bigint * 7919) % ${accounts}::bigint, ${gameId}::bigint, ${planId}::bigint,
          'b' || g / ${A_PHASE}::int, s.at + interval '1 minute',
          case when g > ${count}::int - 5000 then 'PENDING' when g % 100000 = 0 then 'HELD' when g % 3 = 0 then 'WON' else 'LOST' end,
          2, 'SAME', false, '\\x00', s.at
        from generate_series(${from}::int + 1, ${to}::int) g,
          lateral (select now() - interval '90 days' + g * (interval '1 day' * ${DAYS} / ${count}::int) as at) s
        order by g returning id, status)
      insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout", status)
      select id, ${bigSmall}::bigint, (select id from slip_rules where hash = 'bench'), '大', 1, 2, 2, '"1.98"', 3.96, status from made
      order by made.id`.execute(db);
    await foldCounts(db);
    if (to % 1_000_000 === 0) tell(`${to} slips`);
  }
  await sql`vacuum analyze slip, slip_line, list_count`.execute(db);
}
