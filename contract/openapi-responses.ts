import { z } from 'zod';
import { endpointsOf, nouns } from './all.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { exportFormats, isExportable } from './export-formats.ts';
import { failures } from './failures.ts';
import { ImportReport, ImportTemplate } from './imports.ts';
import { MissingRight } from './missing-right.ts';

// What calls answer, for the API document.

export type Json = Record<string, unknown>;

export const json = 'application/json';
export const schemaRef = (name: string) => `#/components/schemas/${name}`;

/** Our own keywords travel under names that no other reader of JSON Schema takes for its own, but for those of the console's language. */
export function ownKeywords({ jsonSchema }: { jsonSchema: Json }): void {
  for (const keyword of ['kind', 'choices', 'ref', 'of', 'only', 'names', 'nameOf', 'match']) {
    if (jsonSchema[keyword] !== undefined) jsonSchema[`x-${keyword}`] = jsonSchema[keyword];
    delete jsonSchema[keyword];
  }
  for (const keyword of ['told', 'seeded', 'endTells']) delete jsonSchema[keyword];
}

function withoutDialect({ $schema: _dialect, $id: _id, ...rest }: Json): Json {
  return rest;
}

/** The schema of what goes out. */
const schemaOf = (output: z.ZodType): Json =>
  withoutDialect(z.toJSONSchema(output, { io: 'output', override: ownKeywords }));

/** A sentence for each field that is wrong. */
const errors = z.record(z.string(), z.string());

/** The `data` of a call, of its refusal where the row was changed meanwhile, and of the one that tells a program what else to know. */
interface Answer {
  data: unknown;
  current?: unknown;
  told?: unknown;
}

export interface Answers {
  entities: Json;
  of: (name: string) => Answer;
}

/**
 * The schemas of what calls answer: entities by their names, to be referred to, and those of each call by its name, to be written where they
 * are used.
 */
export function answers(): Answers {
  const registry = z.registry<{ id: string }>();
  const entityNames = new Set<string>();
  for (const noun of Object.values(nouns)) {
    for (const [name, value] of Object.entries<unknown>(noun)) {
      if (!(value instanceof z.ZodObject) || !/^[A-Z]/.test(name)) continue;
      // The second would stand in the first one's place.
      if (entityNames.has(name)) throw new Error(`two nouns have rows named ${name}`);
      registry.add(value, { id: name });
      entityNames.add(name);
    }
    // Wrapped, because a call may answer an entity or a shared field itself, which must keep its own name.
    for (const [name, { output, edits, told }] of endpointsOf(noun)) {
      const answer = {
        data: output,
        ...(edits && { current: edits }),
        ...(told && { told: told.extend({ errors }) }),
      };
      registry.add(z.object(answer), { id: name });
    }
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: schemaRef, override: ownKeywords });
  return {
    entities: Object.fromEntries(
      [...entityNames].map((name) => [name, withoutDialect({ ...schemas[name] })]),
    ),
    of: (name) => ({ data: undefined, ...schemas[name]?.properties }),
  };
}

const envelope = (success: boolean, data: unknown): Json => ({
  type: 'object',
  required: ['success', 'msg', 'data', 'code'],
  properties: {
    success: { const: success },
    msg: { type: ['string', 'null'], description: '提示文字' },
    data,
    code: { type: 'integer', description: '结果代码，成功为 200' },
  },
});

/** What a call is refused with: nothing, or a sentence for each field that is wrong. */
export const refused = envelope(false, {
  anyOf: [{ type: 'null' }, schemaOf(z.object({ errors }))],
});

export const errorStatuses = [...new Set(Object.values(failures).map(({ status }) => status))].filter(
  (status) => status !== 200,
);

/** Whoever lacks a right is told which rights would open the call. */
const forbidden = envelope(false, { anyOf: [{ type: 'null' }, schemaOf(MissingRight)] });

export function errorResponse(status: number): Json {
  const texts = Object.values(failures).filter((failure) => failure.status === status);
  const schema = status === failures.forbidden.status ? forbidden : { $ref: schemaRef('Refused') };
  return {
    description: texts.map(({ msg }) => msg).join('；'),
    ...(status === 429 && {
      headers: { 'Retry-After': { description: '多少秒后可以再试', schema: { type: 'integer' } } },
    }),
    content: { [json]: { schema } },
  };
}

/** A list can be had as a file too, whole and with the same search, by the Accept header. */
const filesOf = (endpoint: AnyEndpoint): Json =>
  isExportable(endpoint)
    ? Object.fromEntries(
        Object.values(exportFormats).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      )
    : {};

/** An edit of a row that was changed meanwhile is refused with the row as it is now. */
const stale = (current: unknown): Json =>
  envelope(false, { type: 'object', required: ['current'], properties: { current } });

/** What waits for a second operator is answered with its number. */
const submitted = envelope(true, { $ref: schemaRef('Submitted') });

/** A table is answered with what is wrong with it, and refused with the same where it was to be kept. */
const imported: Json[] = [
  envelope(true, { anyOf: [schemaOf(ImportReport), schemaOf(ImportTemplate)] }),
  envelope(false, schemaOf(ImportReport)),
];

const tag = { ETag: { description: '内容的标记，可用于 If-None-Match', schema: { type: 'string' } } };

export function responsesOf(endpoint: AnyEndpoint, { data, current, told }: Answer): Json {
  const errorsByStatus = errorStatuses.map((status) => [
    status,
    { $ref: `#/components/responses/Error${status}` },
  ]);
  const schema = {
    oneOf: [
      envelope(true, data),
      { $ref: schemaRef('Refused') },
      ...(endpoint.approval ? [submitted] : []),
      ...(endpoint.imports ? imported : []),
      ...(current ? [stale(current)] : []),
      ...(told ? [envelope(false, told)] : []),
    ],
  };
  const ok = {
    description: '成功，或以 success 为 false 拒绝',
    ...(endpoint.revalidated && { headers: tag }),
    content: {
      [json]: { schema },
      ...filesOf(endpoint),
      ...(endpoint.streams && { 'text/event-stream': { schema: { type: 'string' } } }),
    },
  };
  return {
    200: ok,
    ...(endpoint.revalidated && { 304: { description: '与 If-None-Match 相同，没有变化', headers: tag } }),
    ...Object.fromEntries(errorsByStatus),
  };
}
