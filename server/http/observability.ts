import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Connections } from '#server/db/connections.ts';
import type { Db } from '#server/db/database.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import { migrationsCurrent } from '#server/db/migrate.ts';
import type { Reads } from '#server/db/reads.ts';
import { processMetrics } from '#server/process-metrics.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What is wrong with the background work of this server at present; nothing before it has begun. */
    background: { troubles(): readonly { part: string; what: string; trouble: string }[] };
  }
}

/** Where queries are answered, and whether the replica may answer any; nothing without a replica. */
function addReplicaMetrics(registry: Registry, { replica }: Connections, { counts }: Reads): void {
  if (!replica) return;
  const registers = [registry];
  new Gauge({
    name: 'database_replica_up',
    help: '1 while queries are read from the replica, 0 while all go to the primary',
    registers,
    collect() {
      this.set(replica.trouble ? 0 : 1);
    },
  });
  new Counter({
    name: 'database_reads_total',
    help: 'Queries by the database that answered them',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset();
      for (const [from, count] of Object.entries(counts)) this.inc({ from }, count);
    },
  });
}

/** A figure that the database tells, read whenever somebody asks for the measurements. */
export interface Watched {
  readonly name: string;
  readonly help: string;
  readonly read: (db: Db) => Promise<number>;
}

/** One log line and one measurement a request, by the route's template: real paths can hold codes and passwords. */
export function addObservability(
  app: FastifyInstance,
  connections: Connections,
  reads: Reads,
  clock: DatabaseClock,
  onRequest: onRequestAsyncHookHandler,
  watched: readonly Watched[],
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  addReplicaMetrics(registry, connections, reads);
  for (const { name, help, read } of watched)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // Unknown while the database is away; the other figures are told all the same.
        this.set(await read(connections.reads).catch(() => Number.NaN));
      },
    });
  new Gauge({
    name: 'clock_ahead_of_database_seconds',
    help: 'By how much the clock of this server is ahead of the database',
    registers: [registry],
    collect() {
      this.set(clock.aheadMs() / 1000);
    },
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const { method } = request;
    // How long somebody listens is no time that a request took.
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    const operatorId = request.operator?.id || undefined;
    request.log.info(
      { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), operatorId },
      'answered',
    );
  });

  app.decorate('background', { troubles: () => [] });
  app.get('/healthz', { logLevel: 'warn' }, () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    if (app.isDraining) return reply.code(503).send({ status: 'stopping' });
    const { health, replica } = connections;
    const ready = await sql`select 1`
      .execute(health)
      .then(() => migrationsCurrent(health))
      .catch(() => false);
    const unfit = clock.unfit();
    const background = app.background.troubles();
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'unavailable',
      // Without its replica a server answers everything: it is ready, and says what is missing.
      ...(replica ? { replica: replica.trouble ?? 'ready' } : {}),
      // Calls go by the database's clock and are answered as ever; only what this server would do by itself rests.
      ...(unfit === undefined ? {} : { timedWork: 'stopped', reason: unfit }),
      ...(background.length === 0 ? {} : { background }),
    });
  });
  app.get('/metrics', { logLevel: 'warn', onRequest }, async (_request, reply) =>
    reply.type(registry.contentType).send(await Registry.merge([registry, processMetrics]).metrics()),
  );
}
