import { randomBytes } from 'node:crypto';
import module from 'node:module';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { openApiDocument } from '#contract/openapi.ts';
import program from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import type { Connections } from './db/connections.ts';
import { type DatabaseClock, startDatabaseClock } from './db/database-clock.ts';
import { readsOver } from './db/reads.ts';
import { type ExportThread, exportThread } from './exports/export-thread.ts';
import { keepApproval } from './features/approvals/approval-store.ts';
import { approvalRules } from './features/approvals/rules.ts';
import { ChatHub } from './features/chat-sessions/chat-hub.ts';
import type { TdLibrary } from './features/chat-sessions/td-library.ts';
import { nativeLibrary } from './features/chat-sessions/td-native.ts';
import { LiveHub } from './features/live/live-hub.ts';
import { registry } from './features/registry.ts';
import { watched } from './features/watched.ts';
import { demandToken } from './http/bearer.ts';
import { addBodyParsers } from './http/body-parsers.ts';
import type { Services } from './http/call.ts';
import { addCallWork } from './http/call-work.ts';
import { addConsoleFiles } from './http/console-files.ts';
import { addDraining } from './http/draining.ts';
import { exportPlaces } from './http/export-places.ts';
import { addFailureHandlers, answerBrokenRequest } from './http/failure-handlers.ts';
import { mountContract } from './http/mount.ts';
import { addObservability } from './http/observability.ts';
import { packing } from './http/packing.ts';
import { refused, send } from './http/reply.ts';
import { addSecurityHeaders, apiHeaders } from './http/security-headers.ts';
import { createSessionUses } from './http/session-uses.ts';
import { createSessions, type Sessions } from './http/sessions.ts';
import { callerAddress } from './origin.ts';
import { letBytesPass } from './passing-bytes.ts';
import { Refusal } from './refusal.ts';
import { tellSlowStatements } from './slow-statements.ts';
import { tellingNews } from './told-failures.ts';
import { createVault, type Vault } from './vault.ts';

interface AppOptions {
  config: Config;
  connections: Connections;
  /** The database's clock, where the caller has it already. */
  clock?: DatabaseClock;
  /** Where the log goes; standard output unless told. */
  logTo?: { write(line: string): void };
  /** TDLib, or what stands in for it. */
  loadChatLibrary?: () => Promise<TdLibrary>;
  /** Where the built console is; beside the program unless told. */
  consoleFolder?: string;
}

const MEBIBYTE = 1_048_576;
// Every limit is shorter than the 15 s after which the console gives up.
const SLOWEST_REQUEST_MS = 9_000;
// Sign-in, refresh and the platform key; signed-in operators are not limited by count.
const UNKNOWN_CALLERS_PER_MINUTE = 1_200;

let documentText: string | undefined;
/** The API's document, of which there is one. It is written when first asked for: that takes as long as all else a server begins with. */
const apiDocument = (): string => (documentText ??= JSON.stringify(openApiDocument(program)));

/** Names requests in the log and in what is refused: alike on no two servers, nor after a new start. */
function requestNames(): () => string {
  const own = randomBytes(4).toString('hex');
  let serial = 0;
  return () => `${own}-${(++serial).toString(36)}`;
}

/** A server that answers nothing yet, with the limits of every request. */
function bareApp({ config, logTo }: AppOptions): FastifyInstance {
  return Fastify({
    logger: { level: config.logLevel, ...(logTo ? { stream: logTo } : {}) },
    // One line of our own a request instead: see observability.ts.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestNames(),
    exposeHeadRoutes: false,
    trustProxy: [...config.trustedProxies],
    bodyLimit: MEBIBYTE,
    requestTimeout: SLOWEST_REQUEST_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    http: {
      headersTimeout: SLOWEST_REQUEST_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_error, _request, reply) => {
      send(reply, refused(new Refusal('pathNotFound')));
    },
  });
}

async function addPackingAndLimits(app: FastifyInstance): Promise<void> {
  // Answers only: a body that unpacks to a thousand times its size has no honest sender.
  await app.register(compress, { threshold: 16_384, globalDecompression: false, ...packing });
  await app.register(rateLimit, {
    global: false,
    max: UNKNOWN_CALLERS_PER_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: callerAddress,
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('tooManyRequests', { retryAfter: Math.ceil(ttl / 1000) }),
  });
}

/** Sessions of TDLib, which start and end with the server. */
function chatOf(app: FastifyInstance, { config, connections, ...rest }: AppOptions, vault: Vault): ChatHub {
  const chat = new ChatHub({
    db: connections.chat,
    config,
    vault,
    loadLibrary: rest.loadChatLibrary ?? nativeLibrary,
    onError: tellingNews((...told) => app.log.error(...told), 'chat session failed'),
  });
  app.addHook('onListen', () => chat.start());
  app.addHook('onClose', () => chat.stop());
  return chat;
}

async function clockOf(
  app: FastifyInstance,
  { clock: given, connections }: AppOptions,
): Promise<DatabaseClock> {
  const clock = given ?? (await startDatabaseClock(connections.health));
  clock.tell(app.log);
  if (!given) app.addHook('onClose', async () => clock.stop());
  return clock;
}

function liveOf(app: FastifyInstance, connections: Connections, sessions: Sessions): LiveHub {
  const live = new LiveHub({
    db: connections.live,
    find: sessions.find,
    onError: tellingNews((...told) => app.log.warn(...told), 'looking for what happened'),
  });
  // Before the connections are waited for: a stream ends by itself only.
  app.addHook('preClose', () => live.stop());
  return live;
}

function exportThreadOf(app: FastifyInstance, config: Config): ExportThread {
  const files = exportThread(new URL('./exports-thread.ts', import.meta.url), {
    config,
    compileCache: module.getCompileCacheDir(),
    log: app.log,
  });
  app.addHook('onClose', () => files.stop());
  return files;
}

/** What calls are served with; whatever of it runs by itself ends with the server. */
async function servicesOf(app: FastifyInstance, options: AppOptions): Promise<Services> {
  const { config, connections } = options;
  const vault = createVault(config.secret);
  const chat = chatOf(app, options, vault);
  const clock = await clockOf(app, options);
  const sessions = createSessions(connections.reads, clock.now);
  const uses = createSessionUses(connections.signIn);
  const services: Services = {
    db: connections.commands,
    signIn: connections.signIn,
    log: app.log,
    reads: readsOver(connections),
    backgroundTroubles: () => app.background.troubles().map(({ what }) => what),
    exports: exportPlaces(),
    exportThread: exportThreadOf(app, config),
    config,
    vault,
    chat,
    live: liveOf(app, connections, sessions),
    sessions,
    uses,
    clock,
    handlers: registry,
    approvals: { rules: approvalRules, keep: keepApproval, enforced: sessions.approvalsEnforced },
  };
  app.addHook('onClose', () => uses.end());
  app.addHook('onListen', () => connections.replica?.watch(app.log));
  return services;
}

/** The whole server but for its port: every call of the contract, the console's files, health and metrics. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, connections } = options;
  letBytesPass();
  const app = bareApp(options);
  const quiet = tellSlowStatements(app.log, config.slowStatementMs);
  const services = await servicesOf(app, options);
  app.addHook('onClose', async () => quiet());
  addCallWork(app);
  addDraining(app);
  app.decorateRequest('operator');
  addFailureHandlers(app);
  addBodyParsers(app);
  await addSecurityHeaders(app);
  await addPackingAndLimits(app);
  const onRequest = demandToken(config.metricsToken);
  addObservability(app, { connections, reads: services.reads, clock: services.clock, watched, onRequest });
  app.get('/api/openapi.json', { onRequest }, (_request, reply) =>
    reply.headers({ ...apiHeaders, 'content-type': 'application/json; charset=utf-8' }).send(apiDocument()),
  );
  mountContract(app, services);
  await addConsoleFiles(app, config.timeZone, options.consoleFolder);
  return app;
}
