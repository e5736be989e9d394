import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#server/refusal.ts';
import { nonceOf } from './security-headers.ts';

const root = fileURLToPath(new URL('../../dist/console', import.meta.url));

const isApi = (url: string): boolean => /^\/(api|open)(\/|\?|$)/i.test(url);
const looksLikePage = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !isApi(url) && !/\.\w+$/.test(url.split('?')[0] ?? '');

/** Serves the built console: its hashed files for a year, its one page (any other path) with a fresh nonce. */
export async function addConsoleFiles(app: FastifyInstance, timeZone: string): Promise<void> {
  await app.register(serveFiles, {
    root: `${root}/assets`,
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  });
  let page: Promise<string> | undefined;
  const readPage = async () => {
    const html = await readFile(`${root}/index.html`, 'utf8');
    return html.replaceAll('__PLATFORM_TIME_ZONE__', timeZone);
  };
  app.setNotFoundHandler(async (request, reply) => {
    if (!looksLikePage(request)) throw new Refusal('pathNotFound');
    page ??= readPage();
    const html = await page.catch(() => undefined);
    if (html === undefined) {
      page = undefined;
      throw new Refusal('unavailable');
    }
    await reply.helmet();
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replaceAll('__CSP_NONCE__', nonceOf(reply.raw)));
  });
}
