import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

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

/**
 * From the first moment of a stop /readyz sends new callers elsewhere, and each answer asks for its connection to be
 * closed, so that nobody sends anything on one that is about to be cut.
 */
export function addDraining(app: FastifyInstance): void {
  app.decorate('isDraining', false);
  app.decorate('drain', async (milliseconds: number) => {
    app.isDraining = true;
    if (app.server.listening) await sleep(Math.max(milliseconds, SHORTEST_MS));
  });
  app.addHook('onSend', async (_request, reply) => {
    if (app.isDraining) reply.header('connection', 'close');
  });
  closeWhatFallsIdle(app);
}

/**
 * A connection that had a request under way when the stop began stays open after its answer, for as long as it is kept
 * alive: Node closes only those that were idle at that moment. Nor does it count those as idle that clients opened ahead
 * and have not used yet. Without this the stop waits for clients to go.
 */
function closeWhatFallsIdle(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    const timer = setInterval(() => app.server.closeIdleConnections(), 50).unref();
    app.server.once('close', () => clearInterval(timer));
    done();
  });
}
