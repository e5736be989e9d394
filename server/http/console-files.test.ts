import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addConsoleFiles } from './console-files.ts';
import { addFailureHandlers } from './failure-handlers.ts';
import { addSecurityHeaders } from './security-headers.ts';

const script = 'export const console = 1;'.repeat(100);
const root = mkdtempSync(join(tmpdir(), 'console-files-'));
const app = Fastify();
beforeAll(async () => {
  mkdirSync(join(root, 'assets'));
  const file = (name: string, content: string | Buffer) => writeFileSync(join(root, 'assets', name), content);
  file('index-1.js', script);
  file('index-1.js.br', brotliCompressSync(script));
  file('index-1.js.gz', gzipSync(script));
  file('small-2.css', 'a{}');
  writeFileSync(join(root, 'sources.sha256'), 'no page');
  addFailureHandlers(app);
  await addSecurityHeaders(app);
  await addConsoleFiles(app, 'Asia/Shanghai', root);
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

it('a built file is packed as its browser takes it, and kept for a year', async () => {
  const plain = await get('/assets/index-1.js');
  expect(plain.body).toBe(script);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  expect(plain.headers['content-encoding']).toBeUndefined();
  const br = await get('/assets/index-1.js', 'gzip, deflate, br');
  expect(br.headers['content-encoding']).toBe('br');
  expect(br.rawPayload).toEqual(brotliCompressSync(script));
  expect((await get('/assets/index-1.js', 'gzip')).rawPayload).toEqual(gzipSync(script));
  // What was too small to be packed is sent as it is.
  expect((await get('/assets/small-2.css', 'br')).body).toBe('a{}');
  const head = await app.inject({ method: 'HEAD', url: '/assets/small-2.css' });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '3']);
});

it('a browser that has chosen English gets the English page, and any other the Chinese one', async () => {
  const page = (cookie?: string) => app.inject({ url: '/login', headers: cookie ? { cookie } : {} });
  expect((await page()).json()).toMatchObject({ success: false });
  writeFileSync(join(root, 'index.html'), '<html lang="zh-CN">__PLATFORM_TIME_ZONE__');
  writeFileSync(join(root, 'index.en.html'), '<html lang="en">__PLATFORM_TIME_ZONE__');
  const chinese = await page();
  expect(chinese.body).toBe('<html lang="zh-CN">Asia/Shanghai');
  expect(chinese.headers['cache-control']).toBe('no-store');
  for (const cookie of ['language=en', 'a=b; language=en', 'language=en; a=b'])
    expect((await page(cookie)).body).toBe('<html lang="en">Asia/Shanghai');
  for (const cookie of ['language=zh', 'language=english', 'mylanguage=en', 'language='])
    expect((await page(cookie)).body).toBe(chinese.body);
});

it('what was read once is there even when its file is gone; what is not there is looked for again', async () => {
  expect((await get('/assets/late-3.js')).json()).toMatchObject({ success: false });
  writeFileSync(join(root, 'assets', 'late-3.js'), 'late');
  expect((await get('/assets/late-3.js')).body).toBe('late');
  rmSync(join(root, 'assets', 'late-3.js'));
  expect((await get('/assets/late-3.js')).body).toBe('late');
});

it.each([
  '/assets/..%2Fsources.sha256',
  '/assets/sources.sha256',
  '/assets/a%00.js',
  '/assets/',
  '/assets/x/y.js',
  '/readyz/',
  '//readyz',
  '/healthz?x',
])('nothing but built files is there: %s', async (url) => {
  expect((await get(url)).json()).toMatchObject({ success: false });
});
