import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Log } from '#server/log.ts';
import type { ListExport, Piece } from './export-list.ts';
import { type ExportOrder, errorOf, type Reply, type ThreadSettings, type Told } from './thread-words.ts';

/** A list that a thread reads and writes; `over` ends it, finished or not. */
export interface ThreadedExport extends ListExport {
  over(): void;
}

/** Reads and writes lists beside the event loop. */
export interface ExportThread {
  /** Opens a snapshot and reads the first page in it. Throws what the list's handler refuses. */
  begin(order: ExportOrder): Promise<ThreadedExport>;
  stop(): Promise<void>;
}

/** Without exports for so long the thread ends and gives back its memory. */
const IDLE_MS = 60_000;
/** A page of rows fits well into it, so that nothing of one is moved on to where only a long look finds it dead. */
const YOUNG_MB = 96;
/** What it may take to say goodbye to the database. */
const STOP_MS = 2_000;

/** Answers of the thread over a port, one at a time; each rejects when the thread ends or failed. */
function conversation(port: MessagePort): () => Promise<Reply> {
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  port.once('close', () => ended.reject(new Error('the thread of exports has ended')));
  return async () => {
    const next = new Promise<Reply>((resolve) => port.once('message', resolve));
    const reply = await Promise.race([next, ended.promise]);
    if ('failed' in reply) throw errorOf(reply.failed);
    return reply;
  };
}

/** Each piece is asked for before the one before it is taken: the thread has a second place for it (`serve-exports.ts`). */
async function* piecesOver(port: MessagePort, heard: () => Promise<Reply>): AsyncGenerator<Piece> {
  const asked = (): Promise<Reply> => {
    const next = heard();
    // Whoever takes the next piece hears of it.
    next.catch(() => undefined);
    port.postMessage('next');
    return next;
  };
  for (let next = asked(); ; ) {
    const reply = await next;
    if (!('bytes' in reply)) return;
    next = asked();
    const { bytes, rows } = reply;
    yield { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), rows };
  }
}

/** A thread that begins with the first export and ends when there has been none for a while. `entry` is its program. */
export function exportThread(
  entry: URL,
  { log, ...settings }: ThreadSettings & { readonly log: Pick<Log, 'warn' | 'error'> },
): ExportThread {
  let worker: Worker | undefined;
  let underWay = 0;
  let idle: NodeJS.Timeout | undefined;

  const started = (): Worker => {
    if (worker) return worker;
    const own = new Worker(entry, {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const forget = () => {
      if (worker === own) worker = undefined;
    };
    // Whoever waits for an export hears it from their port.
    own.once('error', (error) => log.error({ error: String(error) }, 'the thread of exports failed'));
    own.on('message', ({ details, message }: Told) => log.warn(details, message)).once('exit', forget);
    own.unref();
    worker = own;
    return own;
  };
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const own = worker;
    worker = undefined;
    if (!own) return;
    const exit = once(own, 'exit');
    own.postMessage('end');
    await Promise.race([exit, sleep(STOP_MS, undefined, { ref: false })]);
    await own.terminate();
  };
  const left = (): void => {
    underWay--;
    if (underWay === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
  };

  return {
    stop,
    begin: async (order) => {
      clearTimeout(idle);
      underWay++;
      const own = started();
      const { port1: port, port2 } = new MessageChannel();
      let isOver = false;
      port.once('close', () => {
        // It died, and says so itself a moment later only.
        if (!isOver && worker === own) worker = undefined;
        left();
      });
      const over = () => {
        isOver = true;
        port.close();
      };
      const heard = conversation(port);
      try {
        const first = heard();
        own.postMessage({ order, port: port2 }, [port2]);
        const reply = await first;
        if (!('total' in reply)) throw new Error('an export began with something else than its total');
        return { total: reply.total, pieces: () => piecesOver(port, heard), over };
      } catch (error) {
        over();
        throw error;
      }
    },
  };
}
