import { language } from '#contract/language.ts';
import type { WireRequest } from '#contract/request.ts';
import { type Answer, answerOf, headersFor } from './exchange.ts';
import { dropCache, readCache, writeCache } from './local-cache.ts';
import { envelopeOf } from './open-envelope.ts';
import { countAsRead, isLookedAt, type QueryKey, queryClient } from './query-client.ts';
import { readSession, type Session } from './session.ts';
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
  /** What its answer is kept by. */
  readonly query: QueryKey;
}

const PLACES = { access_token: '{access_token}', jti: '{jti}' };
const keyOf = ({ method, url, body }: WireRequest): string => `${method} ${url} ${body ?? ''}`;
const placeOf = (pathname: string): string => `first ${pathname}`;

/** What this screen asks for while it is opened; nothing once it stands. */
let calls: Map<string, FirstCall> | undefined = new Map();

/** The answers that index.html asked for, each read once. */
const read = new Map<string, Promise<Answer>>();
/** What was taken counts as read until the screen stands. */
const taken: (() => void)[] = [];

function askedAnswer(key: string, session: Session | null): Promise<Answer> | undefined {
  const { asked } = window;
  // Of a token that another window has renewed since, a refusal would be taken for one of the new token.
  if (!session || asked?.token !== session.access_token) return undefined;
  const coming = asked.answers[key];
  const answer = read.get(key) ?? (coming && answerOf(coming));
  if (answer) read.set(key, answer);
  return answer;
}

/** Keeps an answer as read, as if the screen had asked itself. What was refused is left to be asked for, and told, by the screen. */
async function take(call: FirstCall): Promise<void> {
  // The server's words are put into another language by the call that asks for them.
  if (language !== 'zh') return;
  const answer = await askedAnswer(call.key, readSession())?.catch(() => undefined);
  const envelope = answer && envelopeOf(answer);
  if (!envelope?.success || envelope.msg !== null) return;
  // Too late, the screen has come for it itself.
  if (!calls || calls.has(call.key)) return;
  calls.set(call.key, call);
  queryClient.setQueryData(call.query, envelope.data);
  taken.push(countAsRead(call.query));
}

/** Longer the frame of a screen is not kept from being seen by what stands in it. */
const PATIENCE_MS = 100;
const patience = () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));

/**
 * Takes the answers that index.html asked for; the function returned waits for them, but not long. A screen that begins with its rows is
 * drawn once.
 */
export function takeFirstAnswers(): () => Promise<unknown> {
  const asks = location.search === '' && window.asked !== undefined;
  const first = asks ? readCache<FirstCall[]>(placeOf(location.pathname)) : null;
  // What a console of before has kept does not say what its answers are kept by.
  const all = Promise.all((first ?? []).filter(({ query }) => Array.isArray(query)).map(take));
  return () => Promise.race([all, patience()]);
}

/**
 * Keeps which queries the screen at this address begins with, so that index.html asks for them at once when it is opened anew, while the
 * scripts are on their way. Only of an address without a search: what somebody looked for is kept nowhere.
 */
export async function learnFirstCalls(): Promise<void> {
  const { pathname } = location;
  const learns = location.search === '' && pathname.startsWith('/main/');
  if (learns) await whenIdle();
  // What was taken for the screen, and nobody looks at, it asks for no more.
  const opened = calls;
  const first = [...(opened?.values() ?? [])].filter(({ query }) => isLookedAt(query));
  calls = undefined;
  // What nobody came for is too old for whoever comes later.
  window.asked = undefined;
  read.clear();
  for (const forget of taken) forget();
  if (learns && opened && location.pathname === pathname && location.search === '')
    writeCache(placeOf(pathname), first);
}

/** Forgets what a screen begins with that is not the operator's, so that nothing is asked for it in vain. */
export function forgetFirstCalls(pathname: string): void {
  calls = undefined;
  dropCache(placeOf(pathname));
}

/** The answer to a query that index.html asked for already, once; every query is noted while its screen is being opened. */
export function firstAnswer(
  request: WireRequest,
  session: Session | null,
  query: QueryKey,
): Promise<Answer> | undefined {
  const key = keyOf(request);
  const { method, url, body } = request;
  if (session && calls) {
    const headers = Object.fromEntries(headersFor(request, { session: { ...session, ...PLACES } }));
    calls.set(key, { key, method, url, body, headers, query });
  }
  const answer = askedAnswer(key, session);
  read.delete(key);
  if (window.asked) delete window.asked.answers[key];
  return answer;
}
