import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Db } from '#server/db/database.ts';
import { migrationsCurrent } from '#server/db/migrate.ts';

/** One log line and one measurement a request, by the route's template: real paths can hold codes and passwords. */
export function addObservability(app: FastifyInstance, db: Db): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const { method } = request;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    const operatorId = request.operator?.id || undefined;
    request.log.info(
      { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), operatorId },
      'answered',
    );
  });

  app.get('/healthz', { logLevel: 'warn' }, () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const ready = await sql`select 1`
      .execute(db)
      .then(() => migrationsCurrent(db))
      .catch(() => false);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
  app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
