import { z } from 'zod';
import { contract, type EndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { bareSchema, elementOf, shapeOf } from '#contract/row-schema.ts';
import type { TestClient } from '#server/testing/test-client.ts';

const isText = (field: z.ZodType): boolean => ['text', 'longText'].includes(metaOf(field).kind ?? '');
const optionsOf = (schema: z.ZodType): z.ZodType[] => {
  const bare = bareSchema(schema);
  return bare instanceof z.ZodUnion ? bare.options.filter((each) => each instanceof z.ZodType) : [];
};

/** Where in an input texts stand, such as `entries[].desc`. Secrets are no texts: nobody is shown them. */
function textsIn(schema: z.ZodType, path = ''): string[] {
  if (isText(schema)) return [path];
  const element = elementOf(schema);
  if (element) return textsIn(element, `${path}[]`);
  if (bareSchema(schema) instanceof z.ZodRecord) return [`${path}{}`];
  const shape = Object.entries(shapeOf(schema));
  return [
    ...optionsOf(schema).flatMap((option) => textsIn(option, path)),
    ...shape.flatMap(([name, field]) => textsIn(field, path ? `${path}.${name}` : name)),
  ];
}

/** Every text that a command takes, as `addRole.name`. */
export const everyText: readonly string[] = [
  ...new Set(
    Object.entries<AnyEndpoint>(contract).flatMap(([name, { kind, input }]) =>
      kind === 'command' ? textsIn(input).map((path) => `${name}.${path}`) : [],
    ),
  ),
];

type Change = (path: string, field: z.ZodType, value: unknown) => unknown;

/** An input with each of its texts changed; lists and objects within that it does not have stay left out. */
function withTexts(schema: z.ZodType, value: unknown, change: Change, path = ''): unknown {
  if (isText(schema)) return change(path, schema, value);
  if (path !== '' && (value === undefined || value === null)) return value;
  const element = elementOf(schema);
  if (element && Array.isArray(value))
    return value.map((each) => withTexts(element, each, change, `${path}[]`));
  const own: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {};
  if (bareSchema(schema) instanceof z.ZodRecord)
    return Object.fromEntries(
      Object.entries(own).map(([key, each]) => [key, change(`${path}{}`, z.string(), each)]),
    );
  const options = optionsOf(schema);
  const option =
    options.find((each) => shapeOf(each).kind?.safeParse(own.kind).success) ??
    options.find((each) => each.safeParse(value).success);
  if (option) return withTexts(option, value, change, path);
  const fields = Object.entries(shapeOf(schema)).map(([name, field]) => [
    name,
    withTexts(field, own[name], change, path ? `${path}.${name}` : name),
  ]);
  return fields.length > 0 ? { ...own, ...Object.fromEntries(fields) } : value;
}

/** As much of a payload as a field takes. */
function cut(payload: string, field: z.ZodType): string {
  const bare = bareSchema(field);
  const most = bare instanceof z.ZodString ? bare.maxLength : null;
  return payload.slice(0, most ?? undefined);
}

/** Who sends: an operator who may do everything, and the players’ site. */
export interface Clients {
  readonly admin: TestClient;
  readonly site: TestClient;
}

/** What became of the texts that were sent, each as `addRole.name`. */
export interface Outcome {
  readonly stored: Set<string>;
  /** Texts that the rules of their fields refuse. */
  readonly refused: Set<string>;
}

/**
 * Sends commands whose texts are a payload, but for those that `base` says itself. These are tried as the payload first, and it counts
 * where that is taken. What the field's own rules refuse must be refused; then an optional one is left out.
 */
export function sender({ admin, site }: Clients, payload: string, { stored, refused }: Outcome) {
  const ask = async (name: EndpointName, input: unknown) => {
    const endpoint: AnyEndpoint = contract[name];
    const client = endpoint.access === 'platform' ? site : admin;
    return client.call(endpoint, input);
  };
  const fails = (name: EndpointName, why: string) => new Error(`${name} with ${payload}: ${why}`);

  /** Gives what the call answers. With `acts: false` it need not take effect: what was sent stands in the change record. */
  return async function send(name: EndpointName, base: object = {}, { acts = true } = {}): Promise<unknown> {
    const { input: schema }: AnyEndpoint = contract[name];
    const unfit: string[] = [];
    const sent: string[] = [];
    const input = withTexts(schema, base, (path, field, value) => {
      const text = cut(payload, field);
      if (String(value ?? '').includes(payload.slice(0, 12))) sent.push(path);
      if (value !== undefined) return value;
      if (field.safeParse(text).success || !acts) {
        sent.push(path);
        return text;
      }
      unfit.push(path);
      return field.safeParse(undefined).success ? undefined : '1';
    });
    if (acts)
      for (const wrong of textsIn(schema).filter((path) => !sent.includes(path))) {
        let isThere = false;
        const attempt = withTexts(schema, input, (path, field, value) => {
          if (path !== wrong) return value;
          isThere ||= value !== undefined || unfit.includes(path);
          return cut(payload, field);
        });
        if (!isThere) continue;
        const { status, envelope } = await ask(name, attempt);
        if (status >= 500) throw fails(name, `HTTP ${status}`);
        if (!envelope.success) {
          refused.add(`${name}.${wrong}`);
          continue;
        }
        if (unfit.includes(wrong)) throw fails(name, `${wrong} took what its rules refuse`);
        for (const path of [...sent, wrong]) stored.add(`${name}.${path}`);
        return envelope.data;
      }
    const { status, envelope } = await ask(name, input);
    if (status >= 500) throw fails(name, `HTTP ${status}`);
    if (acts && !envelope.success)
      throw fails(name, `${envelope.msg} ${JSON.stringify(envelope.data)} ${JSON.stringify(input)}`);
    for (const path of sent) stored.add(`${name}.${path}`);
    return envelope.data;
  };
}
