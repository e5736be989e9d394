import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { added, addedWhereFree } from '#server/db/rows.ts';
import { addDays, type Day } from '#server/platform-days.ts';
import { AGENTS_ABOVE } from './sample-people.ts';

/** What an agent gets of the turnover below them, by how many there are above. */
const ratesByDepth = ['0.003', '0.002', '0.001'] as const;
const depthBelow = (above: number | null | undefined): number =>
  above === null || above === undefined ? 0 : 1 + depthBelow(AGENTS_ABOVE[above]);

/** Rebates of players by level, below what the house keeps of any play way. */
const ratesByLevel = { 1: '0.0002', 2: '0.0004', 3: '0.0006', 4: '0.0008', 5: '0.001' } as const;

const news = {
  平台公告: [
    {
      title: '提现到账时间说明',
      important: false,
      content: '提现申请一般在 30 分钟内处理，最迟 2 小时。\n银行夜间清算时（23:30 至次日 0:30）可能顺延。',
    },
    {
      title: '系统维护通知',
      important: true,
      content: '每周二 05:00 至 05:30 例行维护，其间暂停充值与提现。\n投注与开奖不受影响，敬请留意。',
    },
  ],
  优惠活动: [
    {
      title: '每日返水',
      important: false,
      content: '按前一日的有效投注返水，等级越高比例越高。\n核对之后发放到账户余额，没有上限。',
    },
    {
      title: '首次充值赠送 2%',
      important: true,
      content: '首次充值成功之后赠送充值金额的 2%，每个账户一次。',
    },
  ],
} as const;

/** The day before, so that rebates of a day are there to be looked at from the start. */
async function firstDayOfRates(db: Db, now: Date): Promise<Day> {
  const { rows } = await sql<{
    day: Day;
  }>`select report_day(${now.toISOString()}::timestamptz)::text as day`.execute(db);
  return addDays(rows[0]?.day ?? '', -1);
}

/** Those of the people whom others name as their agent, each paid on their own account. */
export async function addAgents(
  db: Db,
  ids: readonly number[],
  names: readonly string[],
  now: Date,
): Promise<void> {
  const validFrom = await firstDayOfRates(db, now);
  for (const [place, above] of AGENTS_ABOVE.entries()) {
    const id = ids[place];
    if (id === undefined) return;
    const parentId = above === null ? null : (ids[above] ?? null);
    await added(db, 'agent', { id, name: `${names[place]}代理`, parentId, userId: id });
    await added(db, 'agent_rate', { agentId: id, validFrom, rate: ratesByDepth[depthBelow(above)] ?? '0' });
  }
}

/** What an operator would have said of the game that draws: limits, and what its players get back. */
export async function addHouseRules(db: Db, gameId: number, now: Date): Promise<void> {
  const { categoryId } = await db
    .selectFrom('game')
    .select('categoryId')
    .where('id', '=', gameId)
    .executeTakeFirstOrThrow();
  const validFrom = await firstDayOfRates(db, now);
  const rates = Object.entries(ratesByLevel);
  // An operator may have said both of a game that never drew.
  await addedWhereFree(
    db,
    'rebate_rate',
    rates.map(([level, rate]) => ({ level: Number(level), categoryId, rate, validFrom })),
  );
  const limit = { gameId, minStake: '1', maxLineStake: '10000', maxUserStake: '50000' };
  await addedWhereFree(db, 'bet_limit', [limit]);
}

/** News of a platform, where there are none. */
export async function addNews(db: Db): Promise<void> {
  if (await db.selectFrom('news_category').select('id').limit(1).executeTakeFirst()) return;
  for (const [name, rows] of Object.entries(news)) {
    const { id: categoryId } = await added(db, 'news_category', { name });
    for (const row of rows) await added(db, 'news', { categoryId, ...row });
  }
}
