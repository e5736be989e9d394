import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Served, Wanted } from './platform.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
};

/** Serves a built folder; any other path is its page. */
export async function serveFolder(folder: string) {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const name = extname(pathname) === '' ? '/index.html' : pathname;
    try {
      const file = readFileSync(join(folder, name));
      response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream').end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}

/** Servers over one platform in a process of their own. */
export async function servePlatform(wanted: Wanted) {
  const child = fork(fileURLToPath(new URL('platform.ts', import.meta.url)));
  const ended = once(child, 'exit');
  child.send(wanted);
  const served = await Promise.race([
    once(child, 'message').then(([message]) => message as Served),
    ended.then(([code]): Served => {
      throw new Error(`the platform ended with ${code}`);
    }),
  ]);
  const close = async () => {
    child.send('close');
    await ended;
  };
  return { ...served, close };
}
