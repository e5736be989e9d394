import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DrawnResult } from '../draw-records/drawn-result.ts';
import { SourceUnreadable } from './collectors/drawn-result.ts';

/** A body and who reads it. */
export interface Reading {
  /** The collector's name. */
  readonly collector: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly options: string | null;
  readonly timeZone: string;
}

/** What the reading thread answers: draws, a sentence on the body or the options, or a fault of ours. */
export type ReadingAnswer =
  | { readonly draws: DrawnResult[] }
  | { readonly unreadable: string }
  | { readonly fault: string };

/** What an honest body of 2 MB needs on a busy machine, several times over. */
const LIMIT_MS = 2_000;
const START_MS = 20_000;
const MEMORY_MB = 192;

const tooMuch = () => new SourceUnreadable(`来源的内容在 ${LIMIT_MS / 1000} 秒内没有读完`);

async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    name: 'reading',
    // It reads what strangers wrote, and needs nothing of ours.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // Its first word; an error before it is thrown here, and later ones are heard where an answer is awaited.
  await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) });
  thread.on('error', () => undefined);
  // Idle, it does not keep the program alive.
  thread.unref();
  return thread;
}

let thread: Promise<Worker> | undefined;
/** One body at a time; the next one waits for this. */
let last: Promise<unknown> = Promise.resolve();

/** A thread that was ended, or ended itself, is not asked again. */
async function retire(): Promise<void> {
  const ended = thread;
  thread = undefined;
  await (await ended?.catch(() => undefined))?.terminate();
}

async function ask(reading: Reading): Promise<ReadingAnswer> {
  thread ??= startThread();
  const worker = await thread;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const answered: Promise<ReadingAnswer[]> = once(worker, 'message', { signal });
  // A copy is handed over, not copied again: others may read the same body.
  const body = new Uint8Array(reading.body);
  worker.postMessage({ ...reading, body }, [body.buffer]);
  const [answer] = await answered;
  if (!answer) throw new Error('the reading thread said nothing');
  return answer;
}

/** Out of time or out of memory: either way the body asked for too much. */
const isExhausted = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));

async function read(reading: Reading): Promise<DrawnResult[]> {
  const answer = await ask(reading).catch(async (error: unknown) => {
    await retire();
    throw isExhausted(error) ? tooMuch() : error;
  });
  if ('draws' in answer) return answer.draws;
  if ('unreadable' in answer) throw new SourceUnreadable(answer.unreadable);
  throw new Error(`reading a source: ${answer.fault}`);
}

/**
 * The draws in a body, read in a thread of its own that is ended after two seconds or 192 MB: no body of a stranger ever
 * holds the server up. Throws `SourceUnreadable` with a Chinese sentence.
 */
export function readSource(reading: Reading): Promise<DrawnResult[]> {
  const turn = last.then(() => read(reading));
  last = turn.catch(() => undefined);
  return turn;
}
