import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOutsized, parseJson } from '#contract/exact-json.ts';
import { importTypes, MOST_IMPORT_BYTES } from '#contract/imports.ts';
import { Refusal } from '#server/refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes a table of rows. */
    imports?: boolean;
  }
}

const MOST_FORM_FIELDS = 10_100;

/** Tables for calls that import them; what follows is not read for any other, nor when it is too long. */
function addTableParser(app: FastifyInstance, type: string): void {
  app.addContentTypeParser(type, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    if (!request.routeOptions.config.imports) throw new Refusal('badRequest');
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of payload) {
      size += piece.length;
      if (size > MOST_IMPORT_BYTES) throw new Refusal('payloadTooLarge');
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  });
}

/** A body as text; one in another encoding would be kept as replacement signs. */
function textOf(body: string | Buffer): string {
  if (typeof body !== 'string' && !isUtf8(body)) throw new Refusal('badRequest');
  return body.toString();
}

/** The fields of a form or a query string, whose escapes may be of another encoding too. */
export function formOf(text: string): Record<string, unknown> {
  const fields = { ...parseForm(text, '&', '=', { maxKeys: MOST_FORM_FIELDS }) };
  if (!text.includes('%')) return fields;
  const isGarbled = Object.entries(fields).some((each) =>
    each.flat().some((part) => part?.includes('\uFFFD')),
  );
  if (isGarbled && !/%EF%BF%BD|\uFFFD/i.test(text)) throw new Refusal('badRequest');
  return fields;
}

/** JSON and key-value forms, tables where they are imported, and nothing else. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of Object.values(importTypes)) addTableParser(app, type);
  const add = (type: string, read: (text: string) => unknown) =>
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => {
      try {
        done(null, read(textOf(body)));
      } catch {
        done(new Refusal('badRequest'));
      }
    });
  add('application/json', (text) => {
    if (text.trim() === '') return {};
    if (isOutsized(text)) throw new Refusal('badRequest');
    return parseJson(text);
  });
  add('application/x-www-form-urlencoded', formOf);
}
