import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { during, type Work } from '#server/db/driver/statements.ts';
import { beginTrace, type Trace } from '#server/traces.ts';
import { routeOf } from './route.ts';

/** What a request asks for: its route's template, since real paths can hold codes and passwords, and its call if it is one. */
interface Asked {
  readonly route: string;
  readonly call: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's statements are told as, its route and call, and its trace where one is sent. */
    work: Work & Asked & { readonly trace?: Trace | undefined };
  }
}

const names = new Map(
  Object.entries<AnyEndpoint>(contract).map(([name, endpoint]) => [
    `${endpoint.verb} ${routeOf(endpoint)}`,
    name,
  ]),
);

// Fastify makes a route's options anew for each look at them.
function askedIn({ method, routeOptions }: FastifyRequest): Asked {
  const route = routeOptions.url ?? 'unmatched';
  return { route, call: names.get(`${method} ${route}`) };
}

function workOf(request: FastifyRequest): FastifyRequest['work'] {
  const { method } = request;
  const { route, call } = askedIn(request);
  const name = call ?? `${method} ${route}`;
  const trace = beginTrace(name, { 'http.request.method': method, 'http.route': route });
  return { kind: 'call', name, route, call, trace, heard: trace?.heard };
}

/** Lets whoever hears of a statement know which call it belongs to, and sends calls as traces. */
export function addCallWork(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.work = workOf(request);
    during(request.work, done);
  });
  // What comes after a body has been read runs in the socket's name.
  app.addHook('preValidation', (request, _reply, done) => during(request.work, done));
  app.addHook('onResponse', async ({ work, operator }, { statusCode }) => {
    const attributes = { 'http.response.status_code': statusCode, 'enduser.id': operator?.id || undefined };
    work?.trace?.end(attributes, statusCode >= 500 ? String(statusCode) : undefined);
  });
}
