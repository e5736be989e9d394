import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { call } from './call.ts';
import type { CallFailed } from './call-failed.ts';
import { shapeOf, valueAt } from './field.ts';
import { queryKey } from './use-endpoint.ts';

/** The rows a list or page call answers. */
export type RowOf<E extends AnyEndpoint> =
  Output<E> extends { data: (infer R)[] } ? R : Output<E> extends (infer R)[] ? R : never;

export type OptionValue = string | number | boolean;

/** One choice: `depth` is its level in a tree, for indenting. */
export interface Option {
  readonly value: OptionValue;
  readonly label: string;
  readonly depth?: number;
}

/** Where choices come from: known ones, or the rows of a call. */
export interface OptionSource {
  readonly endpoint: AnyEndpoint;
  readonly input: object;
  readonly read: (data: unknown) => Option[];
}
export type Options = readonly Option[] | OptionSource;

interface Reading<E extends AnyEndpoint> {
  /** The field an operator reads, or a sentence made of the row. */
  readonly label: (keyof RowOf<E> & string) | ((row: RowOf<E>) => string);
  /** The field that is sent; `id` unless told otherwise. */
  readonly value?: keyof RowOf<E> & string;
  /** The field that holds the rows below, in a tree. */
  readonly children?: keyof RowOf<E> & string;
  readonly filter?: (row: RowOf<E>) => boolean;
  readonly input?: WireInput<E>;
}

/** All rows of any list: `page` calls are asked for one page that holds everything. */
const ALL = { currentPage: 1, pageSize: 9999 };

export function rowsIn<R>(data: unknown): R[] {
  if (Array.isArray(data)) return data;
  const page = typeof data === 'object' && data !== null && 'data' in data ? data.data : [];
  return Array.isArray(page) ? page : [];
}

/** How many rows match in all: a page says so, a list is all there is. */
export function totalIn(data: unknown): number {
  if (Array.isArray(data)) return data.length;
  const total = typeof data === 'object' && data !== null && 'totalCount' in data ? data.totalCount : 0;
  return typeof total === 'number' ? total : 0;
}

/**
 * The rows of a call as choices: for the selects of forms and searches, and for columns that hold an id but show a
 * name. Declared once beside the screen: `const games = optionsOf(listGames, { label: 'name' })`.
 */
export function optionsOf<E extends AnyEndpoint>(endpoint: E, reading: Reading<E>): OptionSource {
  const { label, value = 'id', children, filter, input } = reading;
  const read = (rows: RowOf<E>[], depth: number): Option[] =>
    rows.flatMap((row) => {
      const at = (name: string) => valueAt(row as object, name);
      const below = children ? read(rowsIn<RowOf<E>>(at(children)), depth + 1) : [];
      const text = typeof label === 'function' ? label(row) : String(at(label) ?? '');
      const own = { value: at(value) as OptionValue, label: text, depth };
      return filter && !filter(row) ? below : [own, ...below];
    });
  const everything = 'pageSize' in shapeOf(endpoint.input) ? ALL : {};
  return {
    endpoint,
    input: { ...everything, ...(input as object | undefined) },
    read: (data) => read(rowsIn<RowOf<E>>(data), 0),
  };
}

const isSource = (options: Options | undefined): options is OptionSource =>
  options !== undefined && 'endpoint' in options;

/** Reads several sets of choices at once, by name; one that is wanted twice is read once. Undefined: on its way. */
export function useOptions(wanted: Readonly<Record<string, Options | undefined>>) {
  const sources = new Map<string, OptionSource>();
  for (const options of Object.values(wanted)) if (isSource(options)) sources.set(keyOf(options), options);
  const keys = [...sources.keys()];
  const results: UseQueryResult<unknown, CallFailed>[] = useQueries({
    queries: [...sources.values()].map(({ endpoint, input }) => ({
      queryKey: queryKey(endpoint, input),
      queryFn: () => call(endpoint, input, { loading: false }),
    })),
  });
  const rows = results.map((result) => result.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers themselves, not the list around them
  return useMemo(() => {
    const known = Object.entries(wanted).map(([name, options]): [string, readonly Option[] | undefined] => {
      if (!isSource(options)) return [name, options];
      const data = rows[keys.indexOf(keyOf(options))];
      return [name, data === undefined ? undefined : options.read(data)];
    });
    return Object.fromEntries(known) as Readonly<Record<string, readonly Option[] | undefined>>;
  }, [wanted, ...rows]);
}

const keyOf = ({ endpoint, input }: OptionSource): string => JSON.stringify(queryKey(endpoint, input));
