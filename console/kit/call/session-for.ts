import type { AnyEndpoint } from '#contract/endpoint.ts';
import { failures } from '#contract/failures.ts';
import { CallFailed } from './call-failed.ts';
import { followReplacement, isReplaced, readSession, type Session } from './session.ts';

/**
 * The session a call is to be made in, looked up at the moment it is sent. Where somebody else has signed in beside, the
 * call is not made at all: what stands on screen belongs to whoever was there before, and the page is loaded anew.
 */
export function sessionFor({ access }: AnyEndpoint): Session | null {
  if (access === 'public') return null;
  if (!isReplaced()) return readSession();
  followReplacement();
  // The page is on its way to another; nothing needs saying.
  throw new CallFailed(failures.sessionChanged.msg, true, { told: true });
}
