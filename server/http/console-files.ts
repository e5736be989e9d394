import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LANGUAGE_COOKIE, type Language } from '#contract/language.ts';
import { pageIn } from '#server/console-build.ts';
import { Refusal } from '#server/refusal.ts';
import { isCallAt } from './route.ts';
import { nonceOf } from './security-headers.ts';

const built = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** What programs ask: where it is misspelt, a page would look like a success. */
const isForPrograms = (url: string): boolean => /^\/+(api|open|healthz|readyz|metrics)(\/|\?|$)/i.test(url);
const looksLikePage = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !isForPrograms(url) && !/\.\w+$/.test(url.split('?')[0] ?? '');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
/** How a file may be packed, the smallest first, and what the build calls it then. */
const packings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** What was read once is answered from memory: the name of a built file changes with its content. */
function keptFiles(folder: string) {
  const kept = new Map<string, Promise<Buffer | undefined>>();
  const read = (name: string) => readFile(`${folder}/${name}`).catch(() => undefined);
  return async (name: string): Promise<Buffer | undefined> => {
    const known = kept.get(name);
    if (known) return known;
    const content = await read(name);
    // What is not there is not kept: anybody may ask for any name.
    if (content) kept.set(name, Promise.resolve(content));
    return content;
  };
}

/** The built files, under names that change with them, each packed as its browser takes it. */
function addAssets(app: FastifyInstance, root: string): void {
  const fileNamed = keptFiles(`${root}/assets`);
  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params: { name }, headers }, reply) => {
    const type = types[extname(name)];
    const file = type && /^[\w.-]+$/.test(name) ? await fileNamed(name) : undefined;
    if (!file) throw new Refusal('pathNotFound');
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .header('x-content-type-options', 'nosniff')
      .type(type ?? '');
    const taken = headers['accept-encoding'] ?? '';
    for (const [packing, ending] of packings) {
      const packed = new RegExp(`\\b${packing}\\b`).test(taken) && (await fileNamed(name + ending));
      if (packed) return reply.header('content-encoding', packing).send(packed);
    }
    return reply.send(file);
  });
}

const english = new RegExp(`(^|; *)${LANGUAGE_COOKIE}=en(;|$)`);

/** Which console a browser has chosen. */
const languageFor = ({ headers }: FastifyRequest): Language =>
  english.test(headers.cookie ?? '') ? 'en' : 'zh';

/** The console's pages, each read once. */
function keptPages(root: string, timeZone: string) {
  const kept = new Map<Language, string>();
  return async (language: Language): Promise<string | undefined> => {
    const known = kept.get(language);
    if (known !== undefined) return known;
    const html = await readFile(`${root}/${pageIn(language)}`, 'utf8').catch(() => undefined);
    const page = html?.replaceAll('__PLATFORM_TIME_ZONE__', timeZone);
    if (page !== undefined) kept.set(language, page);
    return page;
  };
}

/** Serves the built console: its hashed files for a year, its page in each language (any other path) with a fresh nonce. */
export async function addConsoleFiles(app: FastifyInstance, timeZone: string, root = built): Promise<void> {
  addAssets(app, root);
  const pageFor = keptPages(root, timeZone);
  app.setNotFoundHandler(async (request, reply) => {
    // Where there is a call, its verb is wrong: of some verbs no route knows anything.
    if (!looksLikePage(request)) throw new Refusal(isCallAt(request.url) ? 'badRequest' : 'pathNotFound');
    const html = await pageFor(languageFor(request));
    if (html === undefined) throw new Refusal('unavailable');
    await reply.helmet();
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replaceAll('__CSP_NONCE__', nonceOf(reply.raw)));
  });
}
