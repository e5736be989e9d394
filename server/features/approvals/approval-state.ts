import { sql } from 'kysely';
import type { ApprovalState } from '#contract/approvals.ts';
import { buttons, releaseRights } from '#contract/screens.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import * as who from './who-releases.ts';

/** How many wait, by the call, the right that releases it and whether this operator prepared them. */
const waitingFor = (db: Db, { id }: SignedIn) =>
  db
    .selectFrom('approval')
    .select(['call', 'release'])
    .select(sql<boolean>`"makerId" = ${id}`.as('own'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'PENDING')
    .where('expireTime', '>', sql<string>`clock_timestamp()`)
    .groupBy(['call', 'release', 'own'])
    .execute();

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((total, { count }) => total + count, 0);

/** The rights that fewer than two operators hold, by their words. */
export async function rightsTooFewHold(db: Db): Promise<string[]> {
  const able = await who.operatorsAbleToSignIn(db);
  const short = releaseRights.filter((right) => !who.areEnough(able, right));
  return buttons.filter(({ code }) => short.some((right) => right === code)).map(({ title }) => title);
}

/** Whether approvals are in force, and what waits. */
export async function stateFor(db: Db, operator: SignedIn): Promise<ApprovalState> {
  const waiting = await waitingFor(db, operator);
  const enabled = await readParam(db, 'approval.enabled');
  return {
    enabled,
    pending: sum(waiting),
    releasable: sum(waiting.filter(({ own, ...each }) => !own && !who.barrierOf(operator, each))),
    short: enabled ? await rightsTooFewHold(db) : [],
  };
}
