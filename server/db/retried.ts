import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from './driver/outage.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;

/**
 * Does work that changes nothing unless it succeeds as a whole, again when it was the victim of a deadlock or lost against
 * another transaction. The pauses grow and differ, so that those who met do not meet again.
 */
export async function retried<T>(work: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
  }
  await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
  return retried(work, attempt + 1);
}
