import type { z } from 'zod';
import { headingAbout } from './about.ts';
import { balanceFields } from './accounts.ts';
import { contract, endpointsOf, isEndpointName, nouns } from './all.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { nounEntries } from './nouns.ts';
import type { NounName } from './ref.ts';
import { elementOf, rowSchemaOf, shapeOf } from './row-schema.ts';

type Fields = Readonly<Record<string, z.ZodType>>;

/** A recorded change: what was sent, and the row before and after. */
export interface Recorded {
  readonly call: string;
  /** The row the call was about. */
  readonly targetId?: string | null;
  readonly input?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The call, unless it is gone. */
const endpointOf = (call: string): AnyEndpoint | undefined =>
  isEndpointName(call) ? contract[call] : undefined;

/** The calls of the noun that a call belongs to. */
const siblingsOf = (call: string): AnyEndpoint[] =>
  endpointsOf(Object.values(nouns).find((noun) => call in noun) ?? {}).map(([, endpoint]) => endpoint);

function inputOf(call: string): Fields {
  const endpoint = endpointOf(call);
  return endpoint ? shapeOf(endpoint.input) : {};
}

/**
 * What the fields of a recorded change are: those that its call takes, those of the rows it is about, and the sums of an account, which
 * whatever moves money notes.
 */
export function recordedFields(call: string): Fields {
  const endpoints = siblingsOf(call);
  return Object.assign(
    {},
    balanceFields,
    ...endpoints.map(({ input }) => shapeOf(input)),
    ...endpoints.map(({ output }) => shapeOf(rowSchemaOf(output))),
    inputOf(call),
  );
}

/** What the fields of rows in a recorded change are: those of lists of rows that its noun's calls take, and those of the change itself. */
export function recordedRowFields(call: string): Fields {
  const lists = siblingsOf(call).flatMap(({ input }) => Object.values(shapeOf(input)).map(elementOf));
  return Object.assign({}, ...lists.map((element) => element && shapeOf(element)), recordedFields(call));
}

type Row = Readonly<Record<string, unknown>>;

/** The rows that a value lists; nothing for what is no list of rows. */
export const rowsIn = (value: unknown): readonly Row[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)
    ? value
    : undefined;

/** Where a change is recorded as a bare list, such as the menus a role had, it is that of the field that sent the new one. */
const listField = (call: string): string =>
  Object.entries(inputOf(call)).find(([, schema]) => elementOf(schema))?.[0] ?? '';

/** One side of a recorded change as fields; what is no object counts as one field. */
export function sideOf(call: string, side: unknown): Readonly<Record<string, unknown>> {
  if (side === null || side === undefined) return {};
  const isFields = typeof side === 'object' && !Array.isArray(side);
  return isFields ? Object.fromEntries(Object.entries(side)) : { [listField(call)]: side };
}

/** The ids in a value, which may have been sent as text, alone or as one of many. */
export const idsIn = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);

/** What was noted in a field of a change, or else sent in it. */
const valueIn = ({ call, input, after }: Recorded, field: string): unknown =>
  sideOf(call, after)[field] ?? sideOf(call, input)[field];

/** The row that a call added, changed or removed; nothing where its noun has no list of its own. */
export function targetOf(record: Recorded): { noun: NounName; id: number } | undefined {
  const endpoint = endpointOf(record.call);
  const [id] = idsIn(record.targetId);
  if (!endpoint || (endpoint.effect ?? 'do') === 'do' || id === undefined) return undefined;
  const heading = headingAbout(endpoint, (field) => valueIn(record, field));
  const screens = endpointsOf(nouns[heading ?? ''] ?? {}).flatMap(([, { kind, access, output }]) =>
    kind === 'query' && typeof access === 'object' && 'id' in shapeOf(rowSchemaOf(output))
      ? access.screens[0]
      : [],
  );
  const noun = nounEntries.find(([, { screen }]) => screens.includes(screen))?.[0];
  return noun && { noun, id };
}

/** Which rows a recorded change names, by their nouns. */
export function rowsNamedIn(record: Recorded): ReadonlyMap<NounName, ReadonlySet<number>> {
  const [fields, rowFields] = [recordedFields(record.call), recordedRowFields(record.call)];
  const named = new Map<NounName, Set<number>>();
  const target = targetOf(record);
  if (target) named.set(target.noun, new Set([target.id]));
  const name = (among: Fields, row: Row): void => {
    for (const [field, value] of Object.entries(row)) {
      for (const inner of rowsIn(value) ?? []) name(rowFields, inner);
      const { ref } = among[field] ? metaOf(among[field]) : {};
      if (!ref || value === null) continue;
      const ids = named.get(ref) ?? new Set();
      for (const id of idsIn(value)) ids.add(id);
      named.set(ref, ids);
    }
  };
  for (const side of [record.input, record.before, record.after]) name(fields, sideOf(record.call, side));
  return named;
}
