import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Vault } from '#server/vault.ts';

/** The token a request bears. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.~+/=-]{16,512})$/i.exec(request.headers.authorization ?? '')?.[1];

/** Whether a request bears this very key; the time it takes tells nothing of the key. */
export function bears(request: FastifyRequest, { fingerprint }: Vault, key: string | null): boolean {
  const token = bearerOf(request);
  return key !== null && token !== undefined && timingSafeEqual(fingerprint(key), fingerprint(token));
}

/** For what only those who watch the server are to read: turns away whoever lacks the token, where one is asked for. */
export const demandToken =
  (vault: Vault, token: string | null) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (token === null || bears(request, vault, token)) return undefined;
    return reply.code(401).header('www-authenticate', 'Bearer').send({ status: 'unauthorized' });
  };
