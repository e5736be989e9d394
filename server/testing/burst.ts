import { once } from 'node:events';
import { request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** One POST of a form. */
interface Sending {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

interface Burst {
  origin: string;
  sendings: readonly Sending[];
}

/** How many answers had which HTTP status, and after how many milliseconds the last of them was there. */
export interface Answered {
  ms: number;
  statuses: Record<string, number>;
}

function send(origin: string, { path, headers, body }: Sending): Promise<string> {
  return new Promise((resolve) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(`${origin}${path}`, {
      method: 'POST',
      agent: false,
      headers: { ...type, ...headers },
    });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end(body);
  });
}

/** Each over a connection of its own. */
async function sendAll({ origin, sendings }: Burst): Promise<Answered> {
  const began = performance.now();
  const answers = await Promise.all(sendings.map((sending) => send(origin, sending)));
  const statuses: Record<string, number> = {};
  for (const status of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { ms: Math.round(performance.now() - began), statuses };
}

/** Sends everything at once from a thread of its own: whoever measures meanwhile does not measure the sending. */
export async function burst(input: Burst): Promise<Answered> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { burst: input } });
  const [answered] = (await once(worker, 'message')) as [Answered];
  await worker.terminate();
  return answered;
}

const sending = (workerData as { burst?: Burst } | null)?.burst;
if (sending) parentPort?.postMessage(await sendAll(sending));
