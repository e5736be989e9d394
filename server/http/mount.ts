import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract, type EndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { ExportFormat } from '#contract/export-formats.ts';
import { LONGEST_AGENT } from '#contract/named-fields.ts';
import { keyPattern, LONGEST_KEY } from '#contract/request.ts';
import { SESSION_HEADER } from '#contract/sign-in.ts';
import { canonicalPath } from '#server/access/call-path.ts';
import { nobody, type SignedIn } from '#server/access/signed-in.ts';
import { denialOf } from '#server/access/verdict.ts';
import { isConnectionLoss } from '#server/db/driver/outage.ts';
import { fewEachTurn } from '#server/few-each-turn.ts';
import { callerAddress } from '#server/origin.ts';
import { Refusal } from '#server/refusal.ts';
import { bearerOf, bears } from './bearer.ts';
import type { Call, Services } from './call.ts';
import { endExportsWith, exportFormatOf, sendExport } from './export.ts';
import { type Context, type Handlers, unwrap } from './handler.ts';
import { isImport, runImport } from './import.ts';
import { checkedInput, rawInput, withMoments } from './input.ts';
import { sendNews, wantsStream } from './live.ts';
import type { Kept } from './one-trip.ts';
import { type Answer, send } from './reply.ts';
import { sendRevalidated } from './revalidated.ts';
import { routeOf } from './route.ts';
import { recordTurnedAway, runCommand } from './run-command.ts';
import { runQuery } from './run-query.ts';
import { sortedRows } from './sorted-rows.ts';
import { demandStepUp } from './step-up.ts';
import { admitTable } from './tables-at-once.ts';
import { demandReader } from './unread-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    operator: SignedIn;
  }
}

// A browser that opens, prefetches or prerenders an address must not thereby change anything.
function isNavigation({ headers }: FastifyRequest): boolean {
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].join(' ');
  return headers['sec-fetch-mode'] === 'navigate' || /prefetch|prerender|preview/i.test(purpose);
}

/** Why somebody signed in may not make the call of a request; nothing when they may. */
const denial = (
  name: EndpointName,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  operator = request.operator,
): Refusal | undefined =>
  denialOf(name, endpoint, canonicalPath(endpoint, request.params as Record<string, string>), operator);

/** Who calls and whether they may; throws before the body is read. */
async function admit(services: Services, name: EndpointName, endpoint: AnyEndpoint, request: FastifyRequest) {
  request.operator = nobody;
  if (endpoint.access === 'platform' && services.config.platformApiKey === null)
    throw new Refusal('pathNotFound');
  if (endpoint.kind === 'command' && endpoint.verb === 'GET' && isNavigation(request))
    throw new Refusal('badRequest');
  if (endpoint.access === 'public') return;
  const token = bearerOf(request);
  if (endpoint.access === 'platform') {
    if (!bears(request, services.config.platformApiKey)) throw new Refusal('platformKeyWrong');
    request.work.caller = 'platform';
    return;
  }
  const operator = token === undefined ? undefined : await services.sessions.find(token);
  if (!operator) throw new Refusal('unauthenticated');
  const believed = request.headers[SESSION_HEADER];
  if (believed !== undefined && believed !== operator.sessionId) throw new Refusal('sessionChanged');
  request.operator = operator;
  request.work.caller = operator.id;
  services.uses.note({
    sessionId: operator.sessionId,
    at: services.clock.now(),
    address: callerAddress(request),
  });
  const denied = denial(name, endpoint, request);
  if (!denied) return;
  if (endpoint.kind === 'command') {
    const call = callOf(services, name, request, request.params as Record<string, unknown>);
    await recordTurnedAway(services, call, 'DENIED', denied.message);
  }
  throw denied;
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key !== 'string' || key.length > LONGEST_KEY || !keyPattern.test(key))
    throw new Refusal('badRequest');
  return key;
}

function callOf(
  { clock }: Services,
  name: EndpointName,
  request: FastifyRequest,
  input: Record<string, unknown>,
): Call {
  const endpoint: AnyEndpoint = contract[name];
  return {
    name,
    endpoint,
    input,
    operator: request.operator,
    address: callerAddress(request),
    agent: (request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
    now: clock.now(),
    idempotencyKey: endpoint.kind === 'command' ? idempotencyKeyOf(request) : undefined,
  };
}

/** Checks the input, runs the call, and sends its answer. */
async function answer<N extends EndpointName>(
  services: Services,
  name: N,
  handler: Handlers[N],
  request: FastifyRequest,
): Promise<Answer> {
  const endpoint: AnyEndpoint = contract[name];
  const raw = rawInput(endpoint, request);
  const { handle, own, recorded, prepare, trip } = unwrap<N>(handler);
  const described = callOf(services, name, request, raw);
  try {
    const input = checkedInput(endpoint, raw) as Parameters<typeof handle>[1];
    const meant = withMoments(endpoint, input as object, services.config.timeZone) as typeof input;
    const run = async (context: Context): Promise<unknown> =>
      sortedRows(await handle(context, meant), input as Record<string, unknown>);
    const call = {
      ...described,
      input: input as Record<string, unknown>,
      raw,
      run,
      recorded,
      ...(prepare ? { prepare: (context: Context) => prepare(context, input) } : {}),
      ...(trip ? { trip: (context: Context, kept: Kept) => trip(context, input, kept) } : {}),
    };
    if (endpoint.kind === 'query') return await runQuery(services, call);
    await demandStepUp(services, call);
    return await runCommand(services, call, own);
  } catch (error) {
    if (endpoint.kind === 'command' && recorded) await noteTurnedAway(services, described, error);
    throw error;
  }
}

/** Takes a table of rows in place of one. */
async function imported<N extends EndpointName>(
  services: Services,
  name: N,
  handler: Handlers[N],
  request: FastifyRequest,
): Promise<Answer> {
  const { handle } = unwrap<N>(handler);
  const call = callOf(services, name, request, {});
  const run = async (context: Context, input: Record<string, unknown>): Promise<unknown> =>
    handle(context, input as Parameters<typeof handle>[1]);
  await demandStepUp(services, call);
  return runImport(services, call, run, request);
}

/** Sends a list as a file: the same call, checked and allowed alike, read page by page in the thread of exports. */
async function exported(
  services: Services,
  name: EndpointName,
  format: ExportFormat,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const endpoint: AnyEndpoint = contract[name];
  const input = checkedInput(endpoint, rawInput(endpoint, exchange.request));
  const call = callOf(services, name, exchange.request, input as Record<string, unknown>);
  const may = (operator: SignedIn) => !denial(name, endpoint, exchange.request, operator);
  return sendExport(services, call, format, { ...exchange, may });
}

/** A change refused for its input, or broken half way, is written down too; if even that fails, the first error stands. */
async function noteTurnedAway(services: Services, call: Call, error: unknown): Promise<void> {
  // There is nothing to write to, and the caller would wait for that once more.
  if (isConnectionLoss(error)) return;
  const refusal = error instanceof Refusal ? error : new Refusal('fault');
  const outcome = error instanceof Refusal ? 'REFUSED' : 'FAULT';
  await recordTurnedAway(services, call, outcome, refusal.message).catch(() => undefined);
}

/** A players' site makes many calls from one address, the console's unknown callers few. Per call and minute. */
const PLATFORM_CALLS_PER_MINUTE = 36_000;

/** Unknown callers let in each turn of the event loop: a flood of sign-ins must not hold up who is signed in. */
const UNKNOWN_CALLERS_A_TURN = 4;

/** What an unknown caller says: a name, a password, a token. */
const UNKNOWN_CALLERS_BODY = 16_384;

/** Admits before the body is read; where callers are limited by count, the count comes first, so that keys cannot be tried out. */
function admission(
  check: (request: FastifyRequest) => Promise<void>,
  { access }: AnyEndpoint,
  door: () => Promise<void>,
) {
  if (access === 'platform')
    return { config: { rateLimit: { max: PLATFORM_CALLS_PER_MINUTE } }, preParsing: check };
  if (access !== 'public') return { onRequest: check };
  const preParsing = async (request: FastifyRequest): Promise<void> => {
    await door();
    await check(request);
  };
  return { bodyLimit: UNKNOWN_CALLERS_BODY, config: { rateLimit: {} }, preParsing };
}

/** A route that takes tables is known by it before its body is read. */
const withImports = <A extends { config?: object }>({ imports }: AnyEndpoint, admitted: A) =>
  imports ? { ...admitted, config: { ...admitted.config, imports: true }, preParsing: admitTable } : admitted;

/** Mounts every call of the contract. */
export function mountContract(app: FastifyInstance, services: Services): void {
  const { handlers } = services;
  endExportsWith(app);
  const door = fewEachTurn(UNKNOWN_CALLERS_A_TURN);
  for (const name of Object.keys(contract) as EndpointName[]) {
    const endpoint: AnyEndpoint = contract[name];
    app.route({
      method: endpoint.verb,
      url: routeOf(endpoint),
      ...withImports(
        endpoint,
        admission((request) => admit(services, name, endpoint, request), endpoint, door),
      ),
      // What a change is answered with is short; asking each time whether it is worth packing is not free.
      ...(endpoint.kind === 'command' ? { compress: false } : {}),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (wantsStream(endpoint, request)) return sendNews(services.live, request, reply);
        const format = exportFormatOf(endpoint, request);
        if (isImport(request)) return send(reply, await imported(services, name, handlers[name], request));
        if (format) return exported(services, name, format, { request, reply });
        const answered = await answer(services, name, handlers[name], request);
        if (endpoint.kind === 'query') demandReader(reply);
        return endpoint.revalidated ? sendRevalidated(request, reply, answered) : send(reply, answered);
      },
    });
  }
}
