import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { contract } from './all.ts';
import { type AnyEndpoint, basePath, pathFields } from './endpoint.ts';
import { importTypes } from './imports.ts';
import { openApiDocument } from './openapi.ts';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  'x-step-up'?: string;
  parameters?: { $ref?: string; name?: string; in?: string }[];
  requestBody?: { content: Record<string, { schema: { type?: string } }> };
  responses: Record<string, { $ref?: string; content?: object }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

// Once through JSON, as it is served.
const document = JSON.parse(JSON.stringify(openApiDocument({ version: '1.2.3' }))) as Document;
const calls = Object.entries<AnyEndpoint>(contract);
const operationOf = (endpoint: AnyEndpoint) =>
  document.paths[basePath(endpoint) + endpoint.path]?.[endpoint.verb.toLowerCase()];

/** Every object in the document with the place it stands at. */
function* objectsIn(value: unknown, place = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Record<string, unknown>];
  for (const [key, child] of Object.entries(value)) yield* objectsIn(child, `${place}/${key}`);
}

const resolve = (ref: string): unknown =>
  ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has references that all lead somewhere within it', () => {
    const refs = [...objectsIn(document)]
      .map(([, { $ref }]) => $ref)
      .filter((ref) => typeof ref === 'string');
    expect(refs).toContain('#/components/schemas/Menu');
    for (const ref of refs) expect(resolve(ref), ref).toBeDefined();
  });

  it('describes nothing that it does not refer to', () => {
    const refs = new Set([...objectsIn(document)].map(([, { $ref }]) => $ref));
    const described = ['schemas', 'parameters', 'responses'].flatMap((kind) =>
      Object.keys(document.components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect(described.filter((ref) => !refs.has(ref))).toEqual([]);
  });

  it('tells a row of the news from what is told at once', () => {
    const told = operationOf(contract.getHappenings)?.responses[200];
    const [{ $ref = '' } = {}] = [...objectsIn(told)].flatMap(([, { $ref }]) =>
      typeof $ref === 'string' && $ref !== '#/components/schemas/Refused' ? [{ $ref }] : [],
    );
    expect(resolve(`${$ref}/properties`)).toHaveProperty('happenings');
    expect(resolve('#/components/schemas/News/properties')).toHaveProperty('content');
  });

  it('describes the tree of menus by itself', () => {
    expect(resolve('#/components/schemas/Menu/properties/childrens/items')).toEqual({
      $ref: '#/components/schemas/Menu',
    });
  });

  it('carries no keyword that JSON Schema does not know, but under x-', () => {
    for (const [place, schema] of objectsIn(document)) {
      if (place.endsWith('/properties')) continue;
      for (const keyword of ['kind', 'choices', 'ref', 'of', 'only', '$schema', '$id', '$defs'])
        expect(schema, place).not.toHaveProperty([keyword]);
    }
  });

  it.each(calls)('%s is described', (name, endpoint) => {
    const operation = operationOf(endpoint);
    expect(operation).toMatchObject({ operationId: name, summary: endpoint.summary });
    expect(operation?.tags).toHaveLength(1);
    const parameters = operation?.parameters ?? [];
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual(pathFields(endpoint));
    const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
    expect(takesKey).toBe(endpoint.kind === 'command');
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '403', '404', '429', '500', '503']),
    );
    const scheme = endpoint.access === 'platform' ? 'platformKey' : 'operatorToken';
    expect(operation?.security).toEqual(endpoint.access === 'public' ? [] : [{ [scheme]: [] }]);
  });

  it('has a form and a JSON body on every POST with a body, and none elsewhere', () => {
    for (const [name, endpoint] of calls) {
      const types = Object.keys(operationOf(endpoint)?.requestBody?.content ?? {}).sort();
      const { shape } = endpoint.input as unknown as { shape: object };
      const fields = Object.keys(shape).filter((field) => !pathFields(endpoint).includes(field));
      const expected =
        endpoint.verb === 'POST' && fields.length > 0
          ? ['application/json', 'application/x-www-form-urlencoded']
          : [];
      expect(types, name).toEqual(
        [...expected, ...(endpoint.imports ? Object.values(importTypes) : [])].sort(),
      );
    }
  });

  it('says of every call what it answers', () => {
    const data = (endpoint: AnyEndpoint) =>
      [...objectsIn(operationOf(endpoint)?.responses['200'])].find(([place]) => place.endsWith('/data'))?.[1];
    for (const [name, endpoint] of calls) expect(data(endpoint), name).toBeDefined();
    expect(data(contract.getChatSession)).toEqual({ $ref: '#/components/schemas/ChatSession' });
    expect(data(contract.listCurrentMenus)).toEqual({
      ...{ type: 'array', items: { $ref: '#/components/schemas/Menu' } },
    });
    expect(data(contract.createUser)).toMatchObject({ type: 'integer', 'x-kind': 'id' });
  });

  it('says of every call that may ask for a fresh Google code that it does, also where a second operator may have to come', () => {
    const asks = (endpoint: AnyEndpoint) => operationOf(endpoint)?.['x-step-up'];
    expect(
      [contract.addBalance, contract.reviewDeposit, contract.addOdds, contract.pageNews].map(asks),
    ).toEqual([...['always', 'sometimes', 'sometimes', undefined]]);
    for (const [name, endpoint] of calls)
      expect(asks(endpoint) !== undefined, name).toBe(Boolean(endpoint.stepUp || endpoint.approval));
  });

  it('has no word of ours that another reader of JSON Schema could take for its own', () => {
    const ours = ['kind', 'choices', 'ref', 'of', 'only', 'names', 'nameOf', 'match', 'told', 'seeded'];
    const schemas = [...objectsIn(document)].filter(
      ([place, each]) => !place.endsWith('/properties') && ('type' in each || '$ref' in each),
    );
    expect(schemas.length).toBeGreaterThan(1_000);
    expect(
      schemas.flatMap(([place, each]) =>
        ours.filter((word) => word in each).map((word) => `${place} ${word}`),
      ),
    ).toEqual([]);
  });

  it('says of every id whose row it names', () => {
    const properties = (schema: unknown) => (schema as { properties: Record<string, unknown> }).properties;
    expect(properties(document.components.schemas?.News).categoryId).toMatchObject({
      'x-kind': 'id',
      'x-ref': 'newsCategory',
    });
    const added = operationOf(contract.addOdds)?.requestBody?.content['application/json']?.schema;
    expect(properties(added).numberIds).toMatchObject({
      ...{ 'x-ref': 'gameNumber', 'x-of': 'gameId' },
      items: { 'x-kind': 'id', 'x-ref': 'gameNumber' },
    });
    const menu = operationOf(contract.addMenu)?.requestBody?.content['application/json']?.schema;
    expect(properties(menu).parentId).toMatchObject({ 'x-only': { type: ['FOLDER', 'MENU'] } });
  });

  it('says what a refused slip tells of odds that changed', () => {
    const refusal = [...objectsIn(operationOf(contract.placeBet)?.responses[200])]
      .filter(([place]) => place.endsWith('/data'))
      .find(([, data]) => (data.required as string[] | undefined)?.includes('errors'));
    expect(refusal?.[1]).toMatchObject({
      properties: { lines: { items: { properties: { place: {}, playWayId: {}, odds: {} } } } },
      required: ['lines', 'errors'],
    });
  });

  it('takes a bare array where the specification has one', () => {
    const { requestBody } = operationOf(contract.bindRoleMenus) ?? {};
    expect(requestBody?.content['application/json']?.schema.type).toBe('array');
    expect(requestBody?.content['application/x-www-form-urlencoded']?.schema.type).toBe('object');
  });
});
