import { sql } from 'kysely';
import { type LiveNoun, type LiveWaiting, liveLists, liveNouns } from '#contract/happenings.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { onceFor } from '#server/once-for.ts';
import { barrierOf, type Prepared } from '../approvals/who-releases.ts';
import { isLate } from '../draw-plans/unawaited-plans.ts';

/** How many rows wait, whoever looks; approvals by the call, what releases it and who prepared them. */
export interface WaitingFigures extends Record<Exclude<LiveNoun, 'approval'>, number> {
  readonly approvals: readonly (Prepared & { makerId: number; count: number })[];
}

/** Counts what waits, each from an index of its own. */
export async function readWaiting(db: Db): Promise<WaitingFigures> {
  const { rows } = await sql<WaitingFigures>`
    select
      (select count(*) from deposit where status = 'PROCESSING') as deposit,
      (select count(*) from withdrawal where status = 'PROCESSING') as withdrawal,
      (select count(*) from draw_plan where ${isLate}) as "drawPlan",
      (select count(*) from draw_record where conflict) as "drawRecord",
      (select count(*) from spider where enabled and "consecutiveFailures" > 0) as spider,
      (select count(*) from settlement where status = 'HELD') as settlement,
      coalesce((select json_agg(a) from (
        select call, release, "makerId", count(*)::int as count from approval
        where status = 'PENDING' and "expireTime" > clock_timestamp() group by 1, 2, 3) a), '[]') as approvals`.execute(
    db,
  );
  return given(rows[0]);
}

/** The lists an operator may see, and so is told of; worked out once for as long as their rights stay as they are. */
export const seenBy = onceFor(
  ({ passwordTemporary, may }: SignedIn): ReadonlySet<LiveNoun> =>
    new Set(liveNouns.filter((noun) => !passwordTemporary && may(liveLists[noun].list))),
);

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0);

/** What waits, as far as an operator may see it. */
export function waitingOf({ approvals, ...figures }: WaitingFigures, operator: SignedIn): LiveWaiting {
  const seen = seenBy(operator);
  const only = (noun: LiveNoun, count: number): number | null => (seen.has(noun) ? count : null);
  const releasable = approvals.filter(
    ({ makerId, ...each }) => makerId !== operator.id && !barrierOf(operator, each),
  );
  return {
    deposit: only('deposit', figures.deposit),
    withdrawal: only('withdrawal', figures.withdrawal),
    approval: only('approval', sum(approvals)),
    releasable: only('approval', sum(releasable)),
    drawPlan: only('drawPlan', figures.drawPlan),
    drawRecord: only('drawRecord', figures.drawRecord),
    spider: only('spider', figures.spider),
    settlement: only('settlement', figures.settlement),
  };
}
