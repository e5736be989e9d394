import { hashKey, type Query, type QueryCacheNotifyEvent } from '@tanstack/react-query';
import { CallFailed } from './call-failed.ts';
import { type QueryKey, queryClient } from './query-client.ts';

/** How long what got no answer is let be before it is asked again; each time twice as long, for a server that is short of breath. */
const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;
/** Within so long, once the server is heard of again or the page looked at. */
const SOON_MS = 3_000;

/** Why queries failed that got no answer when they were last asked. What was refused is not among them: that stands until somebody does something. */
const unanswered = new Map<string, CallFailed>();
/** Those of them that are on their way again by themselves. */
const again = new Set<string>();
let wait = FIRST_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Of a thousand consoles that lost their server in one moment no two come back in one. */
const spread = (milliseconds: number): number => milliseconds * (0.5 + Math.random());

function later(milliseconds: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void askAgain(), milliseconds);
}

/** What is asked every few seconds anyway needs nobody to do it. */
const isPolled = ({ observers }: Query): boolean =>
  observers.some(({ options }) => options.refetchInterval !== undefined);

async function askAgain(): Promise<void> {
  timer = undefined;
  // Asked for once somebody looks.
  if (document.hidden) return;
  const predicate = (query: Query) => unanswered.has(query.queryHash) && !isPolled(query);
  const failed = queryClient.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle', predicate });
  wait = failed.length === 0 ? FIRST_MS : Math.min(2 * wait, LONGEST_MS);
  if (failed.length === 0) return;
  const hashes = new Set(failed.map(({ queryHash }) => queryHash));
  for (const hash of hashes) again.add(hash);
  await queryClient.refetchQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) });
  for (const hash of hashes) again.delete(hash);
  later(spread(wait));
}

/** Asks within moments for what got no answer: there is reason to think that one will come now. */
export function askAgainSoon(): void {
  if (unanswered.size === 0) return;
  wait = FIRST_MS;
  later(Math.random() * SOON_MS);
}

function note({ type, query: { queryHash }, ...event }: QueryCacheNotifyEvent): void {
  if (type === 'removed') unanswered.delete(queryHash);
  if (type !== 'updated' || !('action' in event)) return;
  const { action } = event;
  if (action.type === 'success') unanswered.delete(queryHash);
  if (action.type !== 'error') return;
  const { error } = action;
  if (error instanceof CallFailed && !error.settled) {
    unanswered.set(queryHash, error);
    if (again.size === 0 && timer === undefined) later(spread(wait));
  } else unanswered.delete(queryHash);
}

/**
 * Asks again by itself for whatever stands on screen and got no answer, in the one place where this is done: behind the operator's back, and
 * rarer the longer it is in vain.
 */
export function watchUnanswered(): void {
  queryClient.getQueryCache().subscribe(note);
  document.addEventListener('visibilitychange', () => document.hidden || askAgainSoon());
  window.addEventListener('online', askAgainSoon);
}

let behind = 0;
/** Whether what is read now is read behind the operator's back. */
export const isReadBehind = (): boolean => behind > 0;

/**
 * Reads, and locks nothing: nobody asked for it. Everything unless told otherwise, as where what was just done may have been done or not,
 * and may be sent again at once.
 */
export async function readBehind(read: () => unknown = () => queryClient.invalidateQueries()): Promise<void> {
  behind += 1;
  try {
    await read();
  } finally {
    behind -= 1;
  }
}

/**
 * Why a query failed that is asked again by itself, here or because it is `polled`: that is told already, and stands until an answer comes.
 */
export function failedBefore(key: QueryKey, polled = false): CallFailed | undefined {
  if (unanswered.size === 0) return undefined;
  const hash = hashKey(key);
  return polled || again.has(hash) ? unanswered.get(hash) : undefined;
}
