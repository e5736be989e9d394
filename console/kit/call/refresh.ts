import { requestFor } from '#contract/request.ts';
import { refreshToken, type SignIn, type Token } from '#contract/sign-in.ts';
import { noAnswer } from './call-failed.ts';
import { exchange } from './exchange.ts';
import { envelopeOf } from './open-envelope.ts';
import { readSession, type Session, writeSession } from './session.ts';
import { aloneAmongTabs } from './tab-lock.ts';

/** A server of the version before tells no name. */
type Renewed = Token & Partial<Pick<SignIn, 'userName'>>;

async function renew(session: Session): Promise<void> {
  const answer = await exchange(requestFor(refreshToken, { refresh_token: session.refresh_token }));
  const envelope = envelopeOf<Renewed>(answer);
  // The session is over when the system says so, not when it is away for a moment or something on the way answers in its place.
  if (!envelope) throw noAnswer();
  // Whoever has left or signed in as another meanwhile keeps what they have.
  if (!envelope.success || !envelope.data || readSession()?.jti !== session.jti) return;
  // Somebody may have been renamed since they signed in.
  const { userName: operator = session.operator, ...token } = envelope.data;
  writeSession({ ...session, ...token, ...(operator === undefined ? {} : { operator }) });
}

let waiting: Promise<void> | null = null;

/**
 * Gets a new pair for a session whose access token was refused. True when the call is worth sending again; throws where nobody knows whether
 * the session goes on. A refresh token is good once, so all calls of all tabs share one renewal.
 */
export async function refreshSession(refused: Session): Promise<boolean> {
  const isDone = () => readSession()?.access_token !== refused.access_token;
  waiting ??= aloneAmongTabs(isDone, () => renew(refused)).finally(() => {
    waiting = null;
  });
  await waiting;
  const current = readSession();
  return current !== null && current.access_token !== refused.access_token;
}
