import { contract, type EndpointName } from '#contract/all.ts';
import { type AnyEndpoint, sightOf } from '#contract/endpoint.ts';
import { rightsFor } from '#contract/missing-right.ts';
import { Refusal } from '#server/refusal.ts';
import type { SignedIn } from './signed-in.ts';

// Whether a caller is turned away, whatever the input: asked by the frame before a call, and by explanations.

/** The calls of a session whose password somebody else set. */
const whilePasswordTemporary: readonly EndpointName[] = ['changePassword', 'logout'];

/** The commands of a session in which a role is tried on. */
const whileTrying: readonly EndpointName[] = ['endRoleTrial', 'logout'];

/** The refusal of whoever lacks the right to a call. */
export const lacking = (name: EndpointName): Refusal =>
  new Refusal('forbidden', { told: { call: name, needs: rightsFor(contract[name]) } });

/** Why somebody signed in may not make a call at this path; undefined when they may. */
export function denialOf(
  name: EndpointName,
  endpoint: AnyEndpoint,
  path: string,
  operator: SignedIn,
): Refusal | undefined {
  if (operator.passwordTemporary && !whilePasswordTemporary.includes(name))
    return new Refusal('passwordTemporary');
  if (operator.trial && endpoint.kind === 'command' && !whileTrying.includes(name))
    return new Refusal('roleTried', { values: { role: operator.trial.role } });
  return operator.may(endpoint, path) ? undefined : lacking(name);
}

/** The refusal of an operator who could make one of the calls that this one's maker and releaser must not (`blindTo`). */
export function blindnessOf(endpoint: AnyEndpoint, operator: SignedIn): Refusal | undefined {
  const seen = sightOf(endpoint, (other) => operator.may(other));
  return seen && new Refusal('approvalSeesTooMuch', { values: { what: seen.summary } });
}

/**
 * When a call asks this operator for a fresh Google code: always, never, or depending on its input or effect.
 */
export function codeAsked(
  { stepUp, approval }: AnyEndpoint,
  { hasGoogleKey }: SignedIn,
): 'always' | 'sometimes' | 'never' {
  if (!hasGoogleKey || !(stepUp || approval)) return 'never';
  return stepUp === true ? 'always' : 'sometimes';
}

/** Whether a call may have to wait for a second operator. */
export const mayWait = ({ approval }: AnyEndpoint, enforced: boolean): boolean =>
  approval !== undefined && enforced;
