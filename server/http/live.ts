import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gauge } from 'prom-client';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Happenings, NEWS_EVENT } from '#contract/happenings.ts';
import { onceFor } from '#server/once-for.ts';
import { processMetrics } from '#server/process-metrics.ts';
import { Refusal } from '#server/refusal.ts';
import { bearerOf } from './bearer.ts';
import type { Live } from './handler.ts';
import { apiHeaders } from './security-headers.ts';

const streams = new Gauge({
  name: 'live_streams',
  help: "Operators' windows that are told at once what happens",
  registers: [processMetrics],
});

/** How long a reader waits before it comes again; the server's restart must not bring all of them in one moment, so they add to it. */
const RETRY_MS = 1_000;
/** A reader that leaves so much unread is cut off, and comes again where it stopped. */
const MOST_UNREAD = 1_048_576;

/** Whether a request for this call asks to be told on and on. */
export const wantsStream = ({ streams }: AnyEndpoint, { headers }: FastifyRequest): boolean =>
  streams === true && (headers.accept ?? '').includes('text/event-stream');

const lastOf = ({ headers, query }: FastifyRequest): string | undefined => {
  const last = headers['last-event-id'];
  if (typeof last === 'string' && last !== '') return last;
  const { since } = query as { since?: unknown };
  return typeof since === 'string' && since !== '' ? since : undefined;
};

/** A message as it is sent; what many are told is written once. */
const messageOf = onceFor((news: Happenings) =>
  Buffer.from(`id: ${news.cursor}\nevent: ${NEWS_EVENT}\ndata: ${JSON.stringify(news)}\n\n`),
);

/** Answers by a stream of messages, until the reader goes, may not know any more, or the server stops. */
export function sendNews(live: Live, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.server.isDraining) throw new Refusal('unavailable');
  const body = new Readable({ read: () => undefined });
  const leave = live.join({
    token: bearerOf(request) ?? '',
    operator: request.operator,
    since: lastOf(request),
    tell: (news) => {
      body.push(messageOf(news));
      if (body.readableLength > MOST_UNREAD) body.destroy();
    },
    end: () => body.push(null),
  });
  streams.inc();
  body.once('close', () => {
    streams.dec();
    leave();
  });
  body.push(`retry: ${RETRY_MS}\n\n`);
  return reply
    .headers({
      ...apiHeaders,
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies must neither keep nor gather nor pack it.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    .send(body);
}
