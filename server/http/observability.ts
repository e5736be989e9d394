import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Connections } from '#server/db/connections.ts';
import type { Db } from '#server/db/database.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import { migrationsCurrent } from '#server/db/migrate.ts';
import type { Reads } from '#server/db/reads.ts';
import { isWorker, measurementsOfAll } from '#server/fellow-workers.ts';
import { processMetrics } from '#server/process-metrics.ts';
import { shared } from '#server/repeat.ts';
import { createNews, failureDetails } from '#server/told-failures.ts';
import { addPoolMetrics, addReplicaMetrics, addWatched, type Watched } from './database-metrics.ts';
import { apiHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What is wrong with the background work of this server at present; nothing before it has begun. */
    background: { troubles(): readonly { part: string; what: string; trouble: string }[] };
  }
}

/** One log line and one measurement a request, by the route's template: real paths can hold codes and passwords. */
function tellAnswers(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route template and call',
    labelNames: ['method', 'route', 'call', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    // One that is no address at all never gets that far.
    const { route, call = '' } = request.work ?? { route: 'unmatched' };
    const { method } = request;
    // How long somebody listens is no time that a request took.
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      durations.observe({ method, route, call, status: reply.statusCode }, reply.elapsedTime / 1000);
    const operatorId = request.operator?.id || undefined;
    const ms = Math.round(reply.elapsedTime);
    const error = request.cause;
    request.log.info({ method, route, status: reply.statusCode, ms, operatorId, error }, 'answered');
  });
}

/** What programs look at: as with calls, nobody keeps an answer. Balancers ask with HEAD too. */
const probe = { method: ['GET', 'HEAD'], logLevel: 'warn' } satisfies Partial<RouteOptions>;

/** What keeps the database from being worked on: it does not answer, or this program's migrations are not in it. */
type DatabaseTrouble = 'unreachable' | 'outdated';

async function databaseTrouble(db: Db): Promise<DatabaseTrouble | undefined> {
  try {
    await sql`select 1`.execute(db);
  } catch {
    return 'unreachable';
  }
  return (await migrationsCurrent(db).catch(() => false)) ? undefined : 'outdated';
}

/** Whether this server can answer, and what of its own work rests or is in trouble. */
function addReadiness(app: FastifyInstance, { health, replica }: Connections, clock: DatabaseClock): void {
  app.decorate('background', { troubles: () => [] });
  app.route({
    ...probe,
    url: '/healthz',
    handler: (_request, reply) => reply.headers(apiHeaders).send({ status: 'ok' }),
  });
  // Anybody may ask, and a balancer must not stand in line behind a crowd of them.
  const look = shared(() => databaseTrouble(health));
  let told: DatabaseTrouble | undefined;
  // A balancer takes the server out without a word; here it is written down, once.
  const tell = (database: DatabaseTrouble | undefined): void => {
    if (database === told) return;
    told = database;
    if (database) app.log.warn({ database }, 'not ready');
    else app.log.info({}, 'ready again');
  };
  const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(apiHeaders);
    if (app.isDraining) return reply.code(503).send({ status: 'stopping' });
    const database = await look();
    tell(database);
    const unfit = clock.unfit();
    const background = app.background.troubles();
    return reply.code(database ? 503 : 200).send({
      ...(database ? { status: 'unavailable', database } : { status: 'ready' }),
      // Without its replica a server answers everything: it is ready, and says what is missing.
      ...(replica ? { replica: replica.trouble ?? 'ready' } : {}),
      // Calls go by the database's clock and are answered as ever; only what this server would do by itself rests.
      ...(unfit === undefined ? {} : { timedWork: 'stopped', reason: unfit }),
      ...(background.length === 0 ? {} : { background }),
    });
  };
  app.route({ ...probe, url: '/readyz', handler });
}

const LOOP_LAG = 'nodejs_eventloop_lag_p99_seconds';

interface Observed {
  readonly connections: Connections;
  readonly reads: Reads;
  readonly clock: DatabaseClock;
  /** The figures that features let be watched. */
  readonly watched: readonly Watched[];
  /** Turns away who may not read the measurements. */
  readonly onRequest: onRequestAsyncHookHandler;
}

/** What a server tells of itself: its log of answers, whether it is ready, and its measurements. */
export function addObservability(
  app: FastifyInstance,
  { connections, reads, clock, watched, onRequest }: Observed,
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Of several processes behind a port one whose loop is held up must not be hidden by the others'.
  Object.assign(registry.getSingleMetric(LOOP_LAG) ?? {}, { aggregator: 'max' });
  addReplicaMetrics(registry, connections, reads);
  addPoolMetrics(registry);
  const isNews = createNews();
  addWatched(registry, connections.reads, watched, (figure, error) => {
    const details = { figure, ...failureDetails(error) };
    if (isNews(`${figure} ${details.error}`)) app.log.warn(details, 'a figure cannot be read');
  });
  new Gauge({
    name: 'clock_ahead_of_database_seconds',
    help: 'By how much the clock of this server is ahead of the database',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(clock.aheadMs() / 1000);
    },
  });
  tellAnswers(app, registry);
  addReadiness(app, connections, clock);
  const own = [registry, processMetrics];
  // They ask the database by the connections that lists are read over.
  const measurements = shared(isWorker ? measurementsOfAll(own) : () => Registry.merge(own).metrics());
  app.route({
    ...probe,
    url: '/metrics',
    onRequest,
    handler: async (_request, reply) =>
      reply
        .headers(apiHeaders)
        .type(registry.contentType)
        .send(await measurements()),
  });
}
