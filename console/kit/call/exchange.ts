import { language } from '#contract/language.ts';
import type { WireRequest } from '#contract/request.ts';
import { SESSION_HEADER } from '#contract/sign-in.ts';
import { noAnswer } from './call-failed.ts';
import { noteServerTime } from './server-clock.ts';
import type { Session } from './session.ts';

const TIMEOUT_MS = 15_000;
const acceptLanguage = language === 'zh' ? 'zh_CN' : language;

export interface Answer {
  readonly status: number;
  /** The parsed JSON body, or null where there is none. */
  readonly body: unknown;
}

interface Extra {
  /** The session the call is made in, and named by: the server refuses it in any other. */
  readonly session?: Session | null;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly keepalive?: boolean | undefined;
  /** The answer to the same call where it was asked for already. */
  readonly asked?: Promise<Answer> | undefined;
}

/** The headers every call of the console carries. */
export function headersFor(request: WireRequest, extra: Extra): Headers {
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': acceptLanguage });
  if (request.contentType) headers.set('Content-Type', request.contentType);
  if (extra.session) {
    headers.set('Authorization', `Bearer ${extra.session.access_token}`);
    headers.set(SESSION_HEADER, extra.session.jti);
  }
  if (extra.idempotencyKey) headers.set('Idempotency-Key', extra.idempotencyKey);
  return headers;
}

/** One HTTP exchange, given up after 15 s. Throws only when no answer came at all. */
export async function exchange(request: WireRequest, extra: Extra = {}): Promise<Answer> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    if (extra.asked) return await extra.asked;
    const response = fetch(request.url, {
      method: request.method,
      headers: headersFor(request, extra),
      body: request.body,
      signal: extra.signal ? AbortSignal.any([limit, extra.signal]) : limit,
      keepalive: extra.keepalive ?? false,
      ...({ credentials: 'omit', cache: 'no-store', redirect: 'error' } as const),
    });
    return await answerOf(response);
  } catch {
    throw noAnswer();
  }
}

/** What came of a request, read; throws where nothing did. */
export async function answerOf(coming: Response | Promise<Response>): Promise<Answer> {
  const response = await coming;
  noteServerTime(response.headers);
  return { status: response.status, body: parsed(await response.text()) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
