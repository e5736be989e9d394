import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listRoles } from '#contract/roles.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const DRIPPERS = 200;
const CLOSED_WITHIN_MS = 12_000;

/** Sends a request a byte a second, and tells after how long the server ended it. */
function drip(head: string): Promise<number> {
  const { hostname, port } = new URL(server.origin);
  const started = performance.now();
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    let sent = 0;
    const timer = setInterval(() => socket.write(head[sent++] ?? 'x'), 1_000);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(performance.now() - started);
    });
    // Half of a request at once, the rest in drops.
    socket.write(head.slice(0, head.length / 2));
    sent = Math.floor(head.length / 2);
    socket.resume();
  });
}

const heads = [
  'GET /api/pms/menu/listByCurrentUser HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"username":"',
];

it('200 dripping connections are closed within 12 s while an honest caller’s p99 stays under 500 ms', async () => {
  const admin = await server.admin();
  const dripping = Promise.all(
    Array.from({ length: DRIPPERS }, (_, i) => drip(heads[i % heads.length] ?? '')),
  );
  let open = true;
  void dripping.then(() => {
    open = false;
  });
  const times: number[] = [];
  while (open) {
    const started = performance.now();
    await admin.call(listRoles, {});
    times.push(performance.now() - started);
  }
  const slowest = Math.max(...(await dripping));
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  console.log(
    `${DRIPPERS} drips closed after at most ${(slowest / 1000).toFixed(1)} s; honest p99 ${p99.toFixed(0)} ms of ${times.length}`,
  );
  expect(slowest).toBeLessThan(CLOSED_WITHIN_MS);
  expect(p99).toBeLessThan(500);
});
