import { contract, isEndpointName } from '#contract/all.ts';
import { releaseApproval } from '#contract/approvals.ts';
import { buttonRight, rightsFor } from '#contract/missing-right.ts';
import type { ReleaseRight } from '#contract/screens.ts';
import { listGranted } from '#server/access/access-store.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { blindnessOf } from '#server/access/verdict.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';

/** Whether an operator may release what needs this right, and can reach the screen for it. */
export const mayRelease = (operator: SignedIn, right: ReleaseRight): boolean =>
  operator.releases(right) && operator.may(releaseApproval);

/** Everyone who could sign in now, with what they may do. */
export async function operatorsAbleToSignIn(db: Db): Promise<SignedIn[]> {
  const keyed = await readParam(db, 'security.secondFactorRequired');
  const enabled = (await listGranted(db)).flatMap(({ operator, disabled }) => (disabled ? [] : [operator]));
  return enabled.filter(({ hasGoogleKey }) => hasGoogleKey || !keyed);
}

/** Two pairs of eyes take two who may look. */
export const areEnough = (operators: readonly SignedIn[], right: ReleaseRight): boolean =>
  operators.filter((operator) => mayRelease(operator, right)).length >= 2;

/** With fewer than two nothing is executed. Throws `approversTooFew`. */
export function demandEnough(operators: readonly SignedIn[], right: ReleaseRight): void {
  if (!areEnough(operators, right)) throw new Refusal('approversTooFew');
}

/** A call that was prepared, and what it takes to release it. */
export interface Prepared {
  readonly call: string;
  readonly release: ReleaseRight;
}

/** Why an operator may not decide what somebody else prepared: `forbidden`, or `approvalSeesTooMuch`. Undefined when they may. */
export function barrierOf(operator: SignedIn, { call, release }: Prepared): Refusal | undefined {
  if (mayRelease(operator, release))
    return isEndpointName(call) ? blindnessOf(contract[call], operator) : undefined;
  const needs = operator.may(releaseApproval) ? buttonRight(release) : rightsFor(releaseApproval);
  return new Refusal('forbidden', { told: { call: 'releaseApproval', needs } });
}
