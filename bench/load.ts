import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

/** What a load process is told to do; it answers with the requests per second it reached. */
export interface Load {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string;
  connections: number;
  seconds: number;
  /** Draws a number up to `accounts` for each request and puts it in the place of `from` in the address. */
  spread?: { from: string; accounts: number };
  /** Puts a number of so many from one on in the place of this text of the address or the body, and a key of its own in the place of one of the body. */
  filled?: { key?: string; number: string; from: number; count: number };
  /** Signs each request with one of these tokens. */
  tokens?: readonly string[];
  /** Sends an Idempotency-Key of its own with each request. */
  keyed?: boolean;
}

/** Makes the text of one request after the other. It is put together by hand: the load shares its processors with what it measures. */
function requestsOf({ url, method, headers, body, spread, tokens, keyed, filled }: Load): () => string {
  const { pathname, search, host } = new URL(url);
  const head = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const [before = '', after = ''] = (pathname + search).split(spread ? spread.from : '\n');
  const path = () =>
    spread ? `${before}/${1 + Math.floor(Math.random() * spread.accounts)}/${after}` : before;
  const oneOf = () => (filled ? String(filled.from + Math.floor(Math.random() * filled.count)) : '');
  const signed = () =>
    tokens ? `authorization: Bearer ${tokens[Math.floor(Math.random() * tokens.length)]}\r\n` : '';
  const key = () => (keyed ? `idempotency-key: ${randomUUID()}\r\n` : '');
  return () => {
    const number = oneOf();
    const numbered = (text: string) => (filled ? text.replace(filled.number, number) : text);
    const sent = filled?.key ? numbered(body).replace(filled.key, randomUUID()) : numbered(body);
    const length = `content-length: ${Buffer.byteLength(sent)}\r\n`;
    return `${method} ${numbered(path())} HTTP/1.1\r\n${head.join('')}${length}${signed()}${key()}\r\n${sent}`;
  };
}

/** How many bytes the answer at the beginning of these has; nothing as long as its head is not whole. */
function lengthOf(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(bytes.toString());
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return end + 4 + Number(length);
  // In chunks, of which the last one is empty.
  return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n' ? bytes.length : undefined;
}

/** Sends requests over one kept-alive connection, one after the other, until it is time; gives how many were answered. */
function line(load: Load, next: () => string, until: number): Promise<number> {
  const { hostname, port } = new URL(load.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let answers = 0;
    let bytes: Buffer = Buffer.alloc(0);
    const send = () => socket.write(next());
    socket.once('connect', send).once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (part: Buffer) => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
      const length = lengthOf(bytes);
      if (length === undefined || bytes.length < length) return;
      bytes = bytes.subarray(length);
      answers++;
      if (performance.now() < until) return void send();
      resolve(answers);
      socket.destroy();
    });
  });
}

async function run(load: Load): Promise<number> {
  const started = performance.now();
  const next = requestsOf(load);
  const until = started + load.seconds * 1_000;
  const answers = await Promise.all(Array.from({ length: load.connections }, () => line(load, next, until)));
  return answers.reduce((sum, n) => sum + n, 0) / ((performance.now() - started) / 1_000);
}

// A process of its own, so that the load does not share the measured server's thread.
process.once('message', async (load: Load) => {
  process.send?.(await run(load));
  process.disconnect();
});
