import { requestFor } from '#contract/request.ts';
import { refreshToken, type Token } from '#contract/sign-in.ts';
import { exchange } from './exchange.ts';
import { envelopeOf } from './open-envelope.ts';
import { readToken, writeToken } from './session.ts';

let waiting: Promise<boolean> | null = null;

/**
 * Runs `work` alone among all tabs. A refresh token is good once and its second use ends the session, so two tabs must
 * never spend the same one. Browsers offer locks on secure origins only; elsewhere calls of one tab still share.
 */
function alone(work: () => Promise<boolean>): Promise<boolean> {
  if ('locks' in navigator) return navigator.locks.request('refresh-token', work);
  waiting ??= work().finally(() => {
    waiting = null;
  });
  return waiting;
}

/** Gets a new pair for a session whose access token was refused. True when the call is worth sending again. */
export function refreshSession(refused: Token): Promise<boolean> {
  return alone(async () => {
    const current = readToken();
    if (!current) return false;
    // Another call or another tab has been here while this one waited.
    if (current.access_token !== refused.access_token) return true;
    const answer = await exchange(requestFor(refreshToken, { refresh_token: current.refresh_token }));
    const envelope = envelopeOf<Token>(answer);
    if (!envelope?.success || !envelope.data) return readToken()?.access_token !== refused.access_token;
    writeToken(envelope.data);
    return true;
  });
}
