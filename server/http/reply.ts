import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Envelope, FieldErrors, StaleRow } from '#contract/envelope.ts';
import { Written } from '#server/db/written.ts';
import type { Refusal } from '#server/refusal.ts';
import { apiHeaders } from './security-headers.ts';

/** An answer as it goes out, and as an idempotency key keeps it. */
export interface Answer {
  status: number;
  envelope: Envelope;
  retryAfter?: number | undefined;
}

/** The envelope of a call that succeeded. */
export const success = (data: unknown, msg: string | null): Answer => ({
  status: 200,
  envelope: { success: true, msg, data: data ?? null, code: 200 },
});

function refusalData(
  { errors, current, told }: Refusal,
  row: z.ZodType | undefined,
): FieldErrors | StaleRow | object | null {
  if (errors || told) return { ...(errors ? { errors } : {}), ...told };
  return current && row ? { current: row.parse(current) as StaleRow['current'] } : null;
}

/** The envelope of a call that was refused. Of a row that was changed meanwhile it tells what `row` declares, and no more. */
export const refused = (refusal: Refusal, row?: z.ZodType): Answer => ({
  status: refusal.status,
  envelope: {
    success: false,
    msg: refusal.message,
    data: refusalData(refusal, row),
    code: refusal.envelopeCode,
  },
  retryAfter: refusal.retryAfter,
});

const JSON_TYPE = 'application/json; charset=utf-8';

/** An envelope in the bytes that go out; what the database wrote goes into it as it is. */
export function textOf(envelope: Envelope): string {
  const { success: succeeded, msg, data, code } = envelope;
  if (!(data instanceof Written)) return JSON.stringify(envelope);
  return `{"success":${succeeded},"msg":${JSON.stringify(msg)},"data":${data.json},"code":${code}}`;
}

// No answer of the API may be kept by anyone: mutating GETs and other people's data are among them.
export function send(reply: FastifyReply, { status, envelope, retryAfter }: Answer): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return reply.code(status).headers(apiHeaders).type(JSON_TYPE).send(textOf(envelope));
}
