import { contract } from '#contract/all.ts';
import { releaseApproval } from '#contract/approvals.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { ReleaseRight } from '#contract/screens.ts';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { listEnabledOperators } from '../access/access-store.ts';
import type { SignedIn } from '../access/signed-in.ts';

/** Whether an operator may release what needs this right, and can reach the screen for it. */
export const mayRelease = (operator: SignedIn, right: ReleaseRight): boolean =>
  operator.releases(right) && operator.may(releaseApproval, releaseApproval.path);

/** Everyone who could sign in now, with what they may do. */
export async function operatorsAbleToSignIn(db: Db): Promise<SignedIn[]> {
  const keyed = await readParam(db, 'security.secondFactorRequired');
  return (await listEnabledOperators(db)).filter(({ hasGoogleKey }) => hasGoogleKey || !keyed);
}

/** Two pairs of eyes take two who may look: with fewer nothing is executed. Throws `approversTooFew`. */
export function demandEnoughReleasers(operators: readonly SignedIn[], right: ReleaseRight): void {
  if (operators.filter((operator) => mayRelease(operator, right)).length < 2)
    throw new Refusal('approversTooFew');
}

const declaredBy = (call: string): AnyEndpoint['approval'] =>
  Object.entries<AnyEndpoint>(contract).find(([name]) => name === call)?.[1].approval;

/** Throws `forbidden`, or `approvalSeesTooMuch` where a call may not be released by who can make another one. */
export function demandMayRelease(operator: SignedIn, right: ReleaseRight, call: string): void {
  if (!mayRelease(operator, right)) throw new Refusal('forbidden');
  const blindTo = declaredBy(call)?.blindTo;
  if (blindTo && operator.may(blindTo, blindTo.path))
    throw new Refusal('approvalSeesTooMuch', { values: { what: blindTo.summary } });
}
