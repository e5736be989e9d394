import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

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
  /** Sends an Idempotency-Key of its own with each request. */
  keyed?: boolean;
}

/** Sends the same request over kept-alive connections, one after the other on each, and counts whole answers. */
async function run({
  url,
  method,
  headers,
  body,
  connections,
  seconds,
  spread,
  keyed,
}: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1_000;
  let answers = 0;
  const address = () =>
    spread ? url.replace(spread.from, `/${1 + Math.floor(Math.random() * spread.accounts)}/`) : url;
  const once = () =>
    new Promise<void>((resolve, reject) => {
      const own = keyed ? { ...headers, 'idempotency-key': randomUUID() } : headers;
      const sent = request(address(), { method, agent, headers: own }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      sent.on('error', reject).end(body);
    });
  const line = async () => {
    while (performance.now() < until) {
      await once();
      answers++;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, line));
  agent.destroy();
  return answers / ((performance.now() - started) / 1_000);
}

// A process of its own, so that the load does not share the measured server's thread.
process.once('message', async (load: Load) => {
  process.send?.(await run(load));
  process.disconnect();
});
