import { z } from 'zod';
import { answerOf } from '#contract/approvals.ts';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { toldInEnglish } from '#contract/english/told.ts';
import { isChinese } from '#contract/english/writing.ts';
import type { Envelope, FieldErrors } from '#contract/envelope.ts';
import { requestFor } from '#contract/request.ts';

export interface Answer<E extends AnyEndpoint> {
  status: number;
  headers: Headers;
  envelope: Envelope<Output<E>>;
}

interface CallOptions {
  headers?: Readonly<Record<string, string>>;
}

/** For a change that may be sent again, and is made once. */
export const under = (key: string): CallOptions => ({ headers: { 'idempotency-key': key } });

/** Calls a server through the contract, over HTTP, as one operator or as nobody. */
export interface TestClient {
  /** The access token; empty for nobody. */
  readonly token: string;
  call<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>, options?: CallOptions): Promise<Answer<E>>;
}

/** Where something answers fields that are not among those declared, which `read` is left with. */
function undeclared(answered: unknown, read: unknown, path: string): string[] {
  if (typeof answered !== 'object' || answered === null) return [];
  if (typeof read !== 'object' || read === null) return [];
  return Object.entries(answered).flatMap(([name, value]) => {
    const place = `${path}.${name}`;
    return name in read ? undeclared(value, Reflect.get(read, name), place) : [place];
  });
}

/** A success whose data is not what the contract declares is the server's fault, whatever the test is about. */
function checkOutput(endpoint: AnyEndpoint, { success, data }: Envelope): void {
  if (!success) return;
  const result = answerOf(endpoint).safeParse(data);
  const fault = result.success
    ? undeclared(data, result.data, 'data')[0]
    : `\n${z.prettifyError(result.error)}`;
  if (fault !== undefined)
    throw new Error(`${endpoint.verb} ${endpoint.path} answers other data than declared: ${fault}`);
}

const saidOf = ({ success, msg, data }: Envelope): (string | null)[] => [
  msg,
  ...(success ? [] : Object.values((data as Partial<FieldErrors> | null)?.errors ?? {})),
];

/** Whatever is said has its English, in whichever test it is heard: what is strung together is known only when it is said. */
function checkEnglish(endpoint: AnyEndpoint, envelope: Envelope): void {
  for (const said of saidOf(envelope))
    if (said !== null && isChinese(said) && toldInEnglish(said) === said)
      throw new Error(`${endpoint.verb} ${endpoint.path} says what has no English: ${said}`);
}

/** `origin` as in `http://127.0.0.1:8080`. A call fails when it has no answer after `patienceMs`, where that is given. */
export function testClient(origin: string, token = '', patienceMs?: number): TestClient {
  return {
    token,
    async call<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>, options: CallOptions = {}) {
      const { method, url, contentType, body } = requestFor(endpoint, input);
      const response = await fetch(origin + url, {
        method,
        body,
        signal: patienceMs === undefined ? null : AbortSignal.timeout(patienceMs),
        headers: {
          ...(contentType ? { 'content-type': contentType } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...options.headers,
        },
      });
      const envelope = (await response.json()) as Envelope<Output<E>>;
      checkOutput(endpoint, envelope);
      checkEnglish(endpoint, envelope);
      return { status: response.status, headers: response.headers, envelope };
    },
  };
}
