import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
};

/** Serves a built folder (gzipped, from memory) and canned answers; any other path is the folder's page. */
export async function serve(folder: string, answers: Readonly<Record<string, () => unknown>>) {
  const kept = new Map<string, Buffer>();
  const file = (path: string): Buffer => {
    const known = kept.get(path) ?? gzipSync(readFileSync(join(folder, path)));
    kept.set(path, known);
    return known;
  };
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const answer = answers[path];
    if (answer) {
      const body = answer();
      const isText = typeof body === 'string';
      response.setHeader('content-type', isText ? 'text/html; charset=utf-8' : 'application/json');
      response.end(isText ? body : JSON.stringify({ success: true, msg: null, data: body, code: 200 }));
      return;
    }
    const name = extname(path) === '' ? '/index.html' : path;
    try {
      response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream');
      response.setHeader('content-encoding', 'gzip');
      response.end(file(name));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
