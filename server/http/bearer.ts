import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The token a request bears. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.~+/=-]{16,512})$/i.exec(request.headers.authorization ?? '')?.[1];

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Whether a request bears this very key; the time it takes tells nothing of the key. */
export function bears(request: FastifyRequest, key: string | null): boolean {
  const token = bearerOf(request);
  return key !== null && token !== undefined && timingSafeEqual(digest(key), digest(token));
}

/** For what only those who watch the server are to read: turns away whoever lacks the token, where one is asked for. */
export const demandToken =
  (token: string | null) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (token === null || bears(request, token)) return undefined;
    return reply.code(401).header('www-authenticate', 'Bearer').send({ status: 'unauthorized' });
  };
