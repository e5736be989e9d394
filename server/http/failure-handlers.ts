import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { FailureCode } from '#contract/failures.ts';
import { DatabaseUnavailable, errorCode, isKeptOut } from '#server/db/driver/outage.ts';
import { Refusal } from '#server/refusal.ts';
import { framesOf } from '#server/told-failures.ts';
import { refusalOf } from './database-failures.ts';
import { JSON_TYPE, refused, send } from './reply.ts';
import { apiHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it could not be answered (5xx), in words that hold nothing that was sent. */
    cause: string | undefined;
  }
}

/** What the framework's own errors amount to in the catalogue. */
function frameworkRefusal(error: unknown): Refusal | undefined {
  const status = (error as Partial<FastifyError>).statusCode;
  if (status === undefined || status >= 500) return status === 503 ? new Refusal('unavailable') : undefined;
  if (status === 404) return new Refusal('pathNotFound');
  if (status === 413) return new Refusal('payloadTooLarge');
  return new Refusal('badRequest');
}

/** A fault is logged with where it happened and without what was sent: inputs can hold secrets. */
function logFault(request: FastifyRequest, error: unknown): void {
  const { name, message, code } = error as Error & { code?: string };
  // A database error's text may quote values; its SQLSTATE and the stack's frames tell where to look.
  const told = name === 'PostgresError' ? { name, code } : { name, code, message };
  const { operator, work } = request;
  const whose = { route: work?.route, call: work?.call, operatorId: operator?.id || undefined };
  request.log.error({ fault: { ...told, stack: framesOf(error) }, ...whose }, 'fault');
}

/** A database error's SQLSTATE, or our own words: of all that is no fault the log says no more. */
const causeOf = (error: unknown): string | undefined =>
  error instanceof DatabaseUnavailable
    ? error.message
    : errorCode(error) || (error instanceof Error && !(error instanceof Refusal) ? error.name : undefined);

/** Whether a stream ended because its reader left before the first byte: nobody's fault, and nobody is there to be told. */
const isDesertion = (error: unknown): boolean => errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';

/** Every failure leaves as an envelope with the catalogue's Chinese text. */
export function addFailureHandlers(app: FastifyInstance): void {
  app.decorateRequest('cause');
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error) ?? frameworkRefusal(error);
    // Whoever runs the database is not the one who is answered.
    if ((!refusal || isKeptOut(error)) && !isDesertion(error)) logFault(request, error);
    const answer = refused(refusal ?? new Refusal('fault'));
    if (answer.status >= 500) request.cause = causeOf(error);
    return send(reply, answer);
  });
  // Both would be answered by Node itself, with nothing that says why.
  app.addHook('onRequest', (request, _reply, done) => {
    const isNamed = request.headers.host !== undefined || request.raw.httpVersion !== '1.1';
    done(isNamed ? undefined : new Refusal('badRequest'));
  });
  app.server.on('checkExpectation', (_request, response) => {
    const { status, envelope } = refused(new Refusal('badRequest'));
    response.writeHead(status, { ...apiHeaders, 'content-type': JSON_TYPE }).end(JSON.stringify(envelope));
  });
}

const brokenBy: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

/** For requests that never become one: broken syntax, headers too large, a client too slow. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, envelope } = refused(new Refusal(brokenBy[error.code ?? ''] ?? 'badRequest'));
  const body = JSON.stringify(envelope);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\n` +
      `connection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
