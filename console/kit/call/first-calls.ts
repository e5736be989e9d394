import type { WireRequest } from '#contract/request.ts';
import { headersFor } from './exchange.ts';
import { writeCache } from './local-cache.ts';
import type { Session } from './session.ts';
import { whenIdle } from './when-idle.ts';

declare global {
  interface Window {
    /** What index.html asked while the scripts were on their way, by method, address and body; `token` is what it asked with. */
    asked?: { readonly token: string; readonly answers: Record<string, Promise<Response>> } | undefined;
  }
}

/** A call as index.html repeats it: the session's tokens are put in there. */
interface FirstCall extends Pick<WireRequest, 'method' | 'url' | 'body'> {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PLACES = { access_token: '{access_token}', jti: '{jti}' };
const keyOf = ({ method, url, body }: WireRequest): string => `${method} ${url} ${body ?? ''}`;

/** What this screen asks for while it is opened; nothing once it stands. */
let calls: Map<string, FirstCall> | undefined;

/**
 * Keeps which queries the screen at this address begins with, so that index.html asks for them at once when it is opened anew, while the
 * scripts are on their way. Only of an address without a search: what somebody looked for is kept nowhere.
 */
export async function learnFirstCalls(): Promise<void> {
  const { pathname } = location;
  if (location.search !== '' || !pathname.startsWith('/main/')) return;
  calls = new Map();
  await whenIdle();
  const first = [...calls.values()];
  calls = undefined;
  // What nobody came for is too old for whoever comes later.
  window.asked = undefined;
  if (location.pathname === pathname && location.search === '') writeCache(`first ${pathname}`, first);
}

/** The answer to a query that index.html asked for already, once; every query is noted while its screen is being opened. */
export function firstAnswer(request: WireRequest, session: Session | null): Promise<Response> | undefined {
  const key = keyOf(request);
  const { method, url, body } = request;
  if (session && calls) {
    const headers = Object.fromEntries(headersFor(request, { session: { ...session, ...PLACES } }));
    calls.set(key, { key, method, url, body, headers });
  }
  const { asked } = window;
  // Of a token that another window has renewed since, a refusal would be taken for one of the new token.
  if (!session || asked?.token !== session.access_token) return undefined;
  const answer = asked.answers[key];
  delete asked.answers[key];
  return answer;
}
