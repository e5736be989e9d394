import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { importTypes } from '#contract/imports.ts';
import { onceFor } from '#server/once-for.ts';
import { Refusal } from '#server/refusal.ts';

/** Tables of one operator that are on their way at once. Each is held whole, in some 8 MB, while its rows are run. */
const MOST_TABLES = 3;
const RETRY_SECONDS = 5;

const isTable = ({ headers }: FastifyRequest): boolean =>
  Object.values(importTypes).some((type) => headers['content-type']?.startsWith(type));

/** By server and operator. */
const tablesAt = onceFor((_: FastifyInstance) => new Map<number, number>());

/** Lets a table in before it is read. Throws `tooManyRequests` where its operator has too many on their way. */
export async function admitTable(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isTable(request)) return;
  const tables = tablesAt(request.server);
  const { id } = request.operator;
  const add = (more: number) => {
    const sum = (tables.get(id) ?? 0) + more;
    if (sum > 0) tables.set(id, sum);
    else tables.delete(id);
  };
  if ((tables.get(id) ?? 0) >= MOST_TABLES)
    throw new Refusal('tooManyRequests', { retryAfter: RETRY_SECONDS });
  add(1);
  reply.raw.once('close', () => add(-1));
}
