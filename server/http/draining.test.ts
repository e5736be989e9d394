import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addDraining } from './draining.ts';

/** A server with one slow answer, and connections to it that tell what they heard until they were closed. */
async function listening() {
  const app = Fastify({ return503OnClosing: false, forceCloseConnections: 'idle' });
  addDraining(app);
  const slow = Promise.withResolvers<void>();
  app.get('/', () => 'quick');
  app.post('/', () => 'posted');
  app.get('/slow', async () => {
    await slow.promise;
    return 'slow';
  });
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  return {
    app,
    slow,
    open: async () => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      await once(socket, 'connect');
      let heard = '';
      socket.on('data', (chunk: string) => {
        heard += chunk;
      });
      return {
        heard: () => heard,
        onHeard: (listener: () => void) => void socket.once('data', listener),
        send: (text: string) => void socket.write(text),
        ask: (path: string) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
        end: once(socket, 'close').then(() => heard),
      };
    },
  };
}

async function stop({ app }: Awaited<ReturnType<typeof listening>>): Promise<void> {
  await app.drain(0);
  await app.close();
}

it('answers what comes after the port is closed, over connections that were there before', async () => {
  const server = await listening();
  const kept = await server.open();
  kept.ask('/');
  await expect.poll(kept.heard).toContain('keep-alive');
  const unused = await server.open();
  const stopped = stop(server);
  await expect.poll(() => server.app.server.listening).toBe(false);
  kept.ask('/');
  unused.ask('/');
  expect((await kept.end).match(/200 OK/g)).toHaveLength(2);
  expect(await unused.end).toContain('connection: close');
  await stopped;
});

it('sends nobody to a door that is being closed: an answer of that moment comes after it', async () => {
  const server = await listening();
  const caller = await server.open();
  caller.ask('/slow');
  const drained = server.app.drain(0);
  // Others keep coming, which keeps the door from being closed for a while.
  let refused = false;
  const others = (async () => {
    while (!refused) {
      await server.open().catch(() => {
        refused = true;
      });
      await sleep(5);
    }
  })();
  // Past the time in which a stop answers as usual.
  await sleep(500);
  expect(server.app.server.listening).toBe(true);
  const openAtAnswer = new Promise<boolean>((resolve) =>
    caller.onHeard(() => resolve(server.app.server.listening)),
  );
  server.slow.resolve();
  expect(await openAtAnswer).toBe(false);
  await others;
  await drained;
  await server.app.close();
  await expect(server.open()).rejects.toThrow('ECONNREFUSED');
});

it('waits for nobody who is silent', async () => {
  const server = await listening();
  const unused = await server.open();
  await sleep(1_000);
  const asked = performance.now();
  await stop(server);
  expect(await unused.end).toBe('');
  expect(performance.now() - asked).toBeLessThan(1_500);
});

it('does not wait for a request that never comes whole, nor for one that has not said what it asks for', async () => {
  const server = await listening();
  const [dripping, begun, answered] = await Promise.all([server.open(), server.open(), server.open()]);
  dripping.send(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{',
  );
  begun.ask('/');
  await expect.poll(begun.heard).toContain('quick');
  begun.send('GET / HTTP/1.1\r\nHo');
  answered.ask('/slow');
  const stopped = stop(server);
  expect(await dripping.end).toContain('408');
  await begun.end;
  // Whoever has asked is answered, however long that takes.
  expect(answered.heard()).toBe('');
  server.slow.resolve();
  expect(await answered.end).toContain('slow');
  await stopped;
});
