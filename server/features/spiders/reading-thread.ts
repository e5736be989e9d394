import { parentPort } from 'node:worker_threads';
import { decodeBody } from '#server/outbound/decode-body.ts';
import { Refusal } from '#server/refusal.ts';
import type { DrawnResult } from '../draw-records/drawn-result.ts';
import { collectorNamed } from './collectors/all.ts';
import { SourceUnreadable } from './collectors/drawn-result.ts';
import type { Reading, ReadingAnswer } from './read-source.ts';

// The thread that foreign bodies are unpacked into text, parsed and looked through in: whatever they hold, the server's own
// thread goes on, and this one is ended when it takes too long.

const MOST_DRAWS = 3_000;
/** As records have it. */
const LONGEST_RESULT = 500;

function demandModest(draws: readonly DrawnResult[]): void {
  if (draws.length > MOST_DRAWS) throw new SourceUnreadable(`来源一次给出的开奖结果超过 ${MOST_DRAWS} 期`);
  const long = draws.find(({ result }) => result.length > LONGEST_RESULT);
  if (long) throw new SourceUnreadable(`期号 ${long.phase} 的开奖结果超过 ${LONGEST_RESULT} 个字符`);
}

function answerTo({ collector, contentType, body, options, timeZone }: Reading): ReadingAnswer {
  try {
    const text = decodeBody({ contentType, body: Buffer.from(body) });
    const draws = collectorNamed(collector)?.read(text, { options, timeZone }) ?? [];
    demandModest(draws);
    return { draws };
  } catch (error) {
    if (error instanceof SourceUnreadable || error instanceof Refusal) return { unreadable: error.message };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (reading: Reading) => parentPort?.postMessage(answerTo(reading)));
parentPort?.postMessage('ready');
