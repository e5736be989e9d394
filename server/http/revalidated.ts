import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './reply.ts';
import { apiHeaders } from './security-headers.ts';

/** A tag of what an answer says: the same for the same answer, on every server. */
const tagOf = ({ envelope }: Answer): string =>
  `"${createHash('sha256').update(JSON.stringify(envelope)).digest('base64url')}"`;

/** Whether a caller has an answer with this tag; what packed it on its way may have called the tag a weak one. */
const has = ({ headers }: FastifyRequest, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');

/** Sends an answer with its tag, or 304 to a caller who has it. Nobody may use it again without asking. */
export function sendRevalidated(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const tag = tagOf(answer);
  const headers = { ...apiHeaders, 'cache-control': 'no-cache', etag: tag };
  if (has(request, tag)) return reply.code(304).headers(headers).send();
  return reply.code(answer.status).headers(headers).send(answer.envelope);
}
