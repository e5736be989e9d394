import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Envelope, FieldErrors, StaleRow } from '#contract/envelope.ts';
import { Written } from '#server/db/written.ts';
import type { Refusal } from '#server/refusal.ts';
import { apiHeaders } from './security-headers.ts';
import { noteUnread } from './unread-answers.ts';

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

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An envelope as it goes out, one part after the other; what the database wrote goes into it byte by byte. */
function partsOf({ success: succeeded, msg, code }: Envelope, data: Written<unknown>): Buffer[] {
  const begin = Buffer.from(`{"success":${succeeded},"msg":${JSON.stringify(msg)},"data":`);
  return [begin, ...data.parts, Buffer.from(`,"code":${code}}`)];
}

/** An answer of so many bytes is not put together once more: what is copied must be collected, and that costs more than the copy. */
const LONG_BYTES = 65_536;

// No answer of the API may be kept by anyone: mutating GETs and other people's data are among them.
export function send(reply: FastifyReply, { status, envelope, retryAfter }: Answer): FastifyReply {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  // By it whoever was refused is found in the log.
  if (!envelope.success) reply.header('x-request-id', reply.request.id);
  reply.code(status).headers(apiHeaders).type(JSON_TYPE);
  if (!(envelope.data instanceof Written)) {
    const text = JSON.stringify(envelope);
    if (text.length >= LONG_BYTES) noteUnread(reply, Buffer.byteLength(text));
    return reply.send(text);
  }
  const parts = partsOf(envelope, envelope.data);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (bytes < LONG_BYTES) return reply.send(Buffer.concat(parts, bytes));
  noteUnread(reply, bytes);
  return reply.header('content-length', bytes).send(Readable.from(parts));
}
