import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { Agent, request } from 'undici';
import { Refusal, wrong } from '#server/refusal.ts';
import { demandPublicHost, type HostAddress, type OutboundRules, plainHost } from './public-host.ts';

/** What came back, already unpacked. */
export interface Fetched {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** The address that answered, after redirects. */
  readonly url: string;
}

/** A source that answers too slowly, too much, or not at all; the message is a Chinese sentence. */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
}

/** A host that cannot be reached, or does not answer in time: asking it for something else would take as long again. */
export class HostSilent extends FetchFailed {}

const LIMIT_MS = 10_000;
const LIMIT_BYTES = 2 * 1_048_576;
const LIMIT_REDIRECTS = 5;

const redirects = new Set([301, 302, 303, 307, 308]);
const bounded = { maxOutputLength: LIMIT_BYTES };
const unpackers: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gunzip)(body, bounded),
  'x-gzip': (body) => promisify(gunzip)(body, bounded),
  // Many servers leave the frame out, whose first byte ends in 8.
  deflate: (body) => promisify(((body[0] ?? 0) & 0xf) === 8 ? inflate : inflateRaw)(body, bounded),
  br: (body) => promisify(brotliDecompress)(body, bounded),
};

/** No name server knows a longer one. */
const LONGEST_HOST = 253;

const forbidden = (reason: string) => new Refusal('urlForbidden', { values: { reason } });

/** A URL that may be fetched as far as its text tells: HTTP(S), no credentials, a port that web servers use. */
export function demandWebUrl(text: string, { allowedHosts }: OutboundRules): URL {
  if (!URL.canParse(text)) throw forbidden('不是有效的网址');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw forbidden('只能使用 http 或 https');
  if (url.username || url.password) throw forbidden('网址中不能带有账号或密码');
  if (url.hostname.length > LONGEST_HOST) throw forbidden(`主机名不能超过 ${LONGEST_HOST} 个字符`);
  const isAllowed = allowedHosts.includes(`${url.hostname.replace(/\.$/, '')}:${portOf(url)}`);
  // Below 1024 live mail, shells and name servers, which a request could be made to talk to.
  if (!isAllowed && url.port !== '' && Number(url.port) < 1024) throw forbidden(`端口 ${url.port} 不可用`);
  return url;
}

/** Refuses an address that may not be asked, at the field that it was typed in. */
export function demandWebUrlIn(field: string, text: string, rules: OutboundRules): void {
  try {
    demandWebUrl(text, rules);
  } catch (error) {
    throw error instanceof Refusal ? wrong(field, error.message) : error;
  }
}

const portOf = ({ port, protocol }: URL): number => (port ? Number(port) : protocol === 'https:' ? 443 : 80);

/** Connects to this address whatever the name resolves to by then. */
const pinnedTo = ({ address, family }: HostAddress): Agent =>
  new Agent({
    connect: {
      timeout: 5_000,
      lookup: (_host, { all }, done) =>
        all ? done(null, [{ address, family }]) : done(null, address, family),
    },
    pipelining: 0,
  });

async function readLimited(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new FetchFailed('来源返回的内容超过 2 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpack(body: Buffer, encoding: string): Promise<Buffer> {
  const unpacker = unpackers[encoding.trim().toLowerCase()];
  if (!unpacker || body.length === 0) return body;
  try {
    return await unpacker(body);
  } catch {
    throw new FetchFailed('来源返回的压缩内容损坏或超过 2 MB');
  }
}

const textOf = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? (header[0] ?? '') : (header ?? '');

interface Hop {
  fetched?: Fetched;
  redirect?: string;
}

type Headers = Readonly<Record<string, string>>;

/** What every request says unless it is told otherwise; what is told goes to the origin that was named and no other. */
const usual: Headers = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (draw collector)' };

interface Asking {
  readonly headers: Headers;
  /** What is sent by POST; without it the request is a GET. */
  readonly posted?: string;
}

/** Never comes true; fails when the time is up. */
const timeUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });

async function hop(
  url: URL,
  { headers, posted }: Asking,
  rules: OutboundRules,
  signal: AbortSignal,
): Promise<Hop> {
  const host = plainHost(url.hostname.replace(/^\[|\]$/g, ''));
  // Looking for its address counts too.
  const found = await Promise.race([demandPublicHost(host, portOf(url), rules), timeUp(signal)]);
  const agent = pinnedTo(found);
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      ...(posted === undefined ? {} : { method: 'POST', body: posted }),
      headers: { ...usual, ...headers, 'accept-encoding': 'gzip, deflate, br' },
    });
    const { statusCode: status, headers: answered } = response;
    // It is read as Latin-1; what is more than ASCII in it is UTF-8, as browsers take it.
    const location = Buffer.from(textOf(answered.location), 'latin1').toString();
    if (redirects.has(status) && location) return { redirect: location };
    const packed = await readLimited(response.body);
    const body = await unpack(packed, textOf(answered['content-encoding']));
    return { fetched: { status, contentType: textOf(answered['content-type']), body, url: url.href } };
  } finally {
    await agent.destroy();
  }
}

function failureOf(error: unknown, signal: AbortSignal, limitMs: number): unknown {
  if (error instanceof Refusal || error instanceof FetchFailed) return error;
  if (signal.aborted) return new HostSilent(`来源在 ${limitMs / 1_000} 秒内没有响应完毕`);
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new FetchFailed('来源的响应不是 HTTP', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new HostSilent(`无法连接来源${code ? `（${code}）` : ''}`, { cause: error });
}

/** What a request may be told: headers by their names in lower case, and how long all of it may take. */
interface RequestOptions {
  readonly headers?: Headers;
  readonly limitMs?: number;
}

/**
 * GETs a page that an operator named: public addresses only (resolved, checked, pinned; redirects checked anew), 10 s in all,
 * 2 MB before and after unpacking. Throws `Refusal` for a forbidden address and `FetchFailed` for a failure on the way; an
 * answer with a bad status is an answer.
 */
export async function fetchBody(
  address: string,
  rules: OutboundRules,
  { headers = {}, limitMs = LIMIT_MS }: RequestOptions = {},
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limitMs);
  let url = demandWebUrl(address, rules);
  const { origin } = url;
  try {
    for (let hops = 0; hops <= LIMIT_REDIRECTS; hops++) {
      const { fetched, redirect = '' } = await hop(
        url,
        { headers: url.origin === origin ? headers : {} },
        rules,
        signal,
      );
      if (fetched) return fetched;
      if (!URL.canParse(redirect, url)) throw new FetchFailed('来源的跳转地址不正确');
      url = demandWebUrl(new URL(redirect, url).href, rules);
    }
  } catch (error) {
    throw failureOf(error, signal, limitMs);
  }
  throw new FetchFailed('来源跳转次数过多');
}

/**
 * POSTs JSON to an address that an operator named, under the same guard as `fetchBody`; a redirect is not followed. Gives the status. Throws
 * `Refusal` for a forbidden address and `FetchFailed` for a failure on the way.
 */
export async function postJson(address: string, rules: OutboundRules, posted: string): Promise<number> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const headers = { 'content-type': 'application/json' };
    const { fetched, redirect } = await hop(demandWebUrl(address, rules), { headers, posted }, rules, signal);
    if (redirect !== undefined || !fetched) throw new FetchFailed('来源要求跳转，没有跟随');
    return fetched.status;
  } catch (error) {
    throw failureOf(error, signal, LIMIT_MS);
  }
}
