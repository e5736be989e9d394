import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#server/refusal.ts';

const DEEPEST = 32;
const MOST_FORM_FIELDS = 10_100;

/** Whether JSON text nests deeper than any call needs. Read before parsing, so that depth costs nothing. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (char === 0x5d || char === 0x7d) depth--;
  }
  return false;
}

/** JSON and key-value forms, and nothing else. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, {});
    if (nestsTooDeep(text)) return done(new Refusal('badRequest'));
    try {
      done(null, JSON.parse(text));
    } catch {
      done(new Refusal('badRequest'));
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, { ...parseForm(String(body), '&', '=', { maxKeys: MOST_FORM_FIELDS }) });
    },
  );
}
