import type { FastifyInstance, FastifyReply } from 'fastify';
import { onceFor } from '#server/once-for.ts';
import { Refusal } from '#server/refusal.ts';

/**
 * A reader that takes nothing of a long answer from one look to the next is cut off. Not before there is an answer: a change may take minutes.
 * Exports and live messages have bounds of their own.
 */
const UNREAD_MS = 60_000;
/** What one caller may leave unread of long answers together: some forty pages of 9999 rows. */
const MOST_UNREAD = 128 * 1_048_576;
const RETRY_SECONDS = 5;

/** By server and operator; the players' site is operator 0. */
const unreadAt = onceFor((_: FastifyInstance) => new Map<number, number>());

const callerOf = ({ request }: FastifyReply): number => request.operator?.id ?? 0;

/** Counts a long answer among those that its caller has not taken yet, for as long as it has not. */
export function noteUnread(reply: FastifyReply, bytes: number): void {
  // Its reader left while it was made: nothing will tell of that again.
  if (reply.raw.closed) return;
  const all = unreadAt(reply.server);
  const caller = callerOf(reply);
  const add = (more: number) => {
    const sum = (all.get(caller) ?? 0) + more;
    if (sum > 0) all.set(caller, sum);
    else all.delete(caller);
  };
  add(bytes);
  reply.raw.once('close', () => add(-bytes));
  // Until this answer has gone out.
  reply.raw.setTimeout(UNREAD_MS);
}

/** Throws `tooManyRequests` where a caller takes none of the long answers it has asked for: the server would hold all of them. */
export function demandReader(reply: FastifyReply): void {
  if ((unreadAt(reply.server).get(callerOf(reply)) ?? 0) > MOST_UNREAD)
    throw new Refusal('tooManyRequests', { retryAfter: RETRY_SECONDS });
}
