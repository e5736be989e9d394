import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { closeDoor } from './closing-door.ts';
import { answerBrokenRequest } from './failure-handlers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server has begun to stop. */
    isDraining: boolean;
    /** Says that the server stops, and goes on answering for so long; to be called before `close`. */
    drain(milliseconds: number): Promise<void>;
  }
}

/** Whoever is connected hears of the end with their next answer; even a stop in a hurry leaves time for that. */
const SHORTEST_MS = 300;
/** A connection that was made or used so lately may have a request on its way, however slow a busy machine's client is. */
const SILENT_MS = 1_000;
const LOOK_MS = 25;
/** A request that has not come whole so long after the door was closed is not waited for: the stop itself has little longer. */
const HALF_SENT_MS = 3_000;
const IDLE_LOOK_MS = 50;

/**
 * From the first moment of a stop /readyz sends new callers elsewhere, and each answer asks for its connection to be
 * closed, so that nobody sends anything on one that is about to be cut. Then the door is closed, and whoever is still inside is
 * answered: a connection is cut only after a second without a request.
 */
export function addDraining(app: FastifyInstance): void {
  let held: Promise<unknown> | undefined;
  const silentFor = closeWhatFallsIdle(app);
  app.decorate('isDraining', false);
  app.decorate('drain', async (milliseconds: number) => {
    app.isDraining = true;
    if (!app.server.listening) return;
    await sleep(Math.max(milliseconds, SHORTEST_MS));
    const closing = closeDoor(app.server);
    held = closing;
    await closing;
    while (silentFor() < SILENT_MS) await sleep(LOOK_MS);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (!app.isDraining) return;
    reply.header('connection', 'close');
    // An answer sends its caller to a new connection, which should find the door closed rather than closing.
    await held;
  });
}

/**
 * A connection that had a request under way when the stop began stays open after its answer, for as long as it is kept
 * alive: Node closes only those that were idle at that moment. Nor does it count those as idle that clients opened ahead
 * and have not used yet. Without this the stop waits for clients to go. Tells for how long no open connection was made or used.
 */
function closeWhatFallsIdle(app: FastifyInstance): () => number {
  const unused = new Set<Socket>();
  const heard = new Map<Socket, number>();
  const answered = new Map<Socket, IncomingMessage>();
  app.server.on('connection', (socket) => {
    unused.add(socket);
    heard.set(socket, performance.now());
    socket.once('close', () => {
      unused.delete(socket);
      heard.delete(socket);
    });
  });
  app.server.on('request', (request, response) => {
    const { socket } = request;
    unused.delete(socket);
    if (heard.has(socket)) heard.set(socket, performance.now());
    answered.set(socket, request);
    response.once('close', () => answered.delete(socket));
  });
  const cutHalfSent = () => {
    for (const socket of heard.keys())
      if (!answered.get(socket)?.complete)
        answerBrokenRequest(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  };
  app.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS).unref();
    const halfSent = setTimeout(cutHalfSent, HALF_SENT_MS).unref();
    app.server.once('close', () => {
      clearInterval(idle);
      clearTimeout(halfSent);
    });
    done();
  });
  return () => performance.now() - Math.max(0, ...heard.values());
}
