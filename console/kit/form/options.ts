import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnyEndpoint, Output } from '#contract/endpoint.ts';
import { pageSizes } from '#contract/fields.ts';
import { failedBefore } from '../call/ask-again.ts';
import { call } from '../call/call.ts';
import type { CallFailed } from '../call/call-failed.ts';
import { queryKey } from '../call/query-client.ts';
import { shapeOf, valueAt } from './field.ts';

/** The rows a list or page call answers. */
export type RowOf<E extends AnyEndpoint> =
  Output<E> extends { data: (infer R)[] } ? R : Output<E> extends (infer R)[] ? R : never;

export type OptionValue = string | number | boolean;

/** One choice: `depth` is its level in a tree, for indenting; `row` what it was read from. */
export interface Option {
  readonly value: OptionValue;
  readonly label: string;
  readonly depth?: number;
  readonly row?: object;
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
}

/** How any call's rows are read, by the names of their fields. */
export interface RowReading {
  readonly label: (row: object) => string;
  readonly value?: string | undefined;
  /** The field that holds the rows below, in a tree. */
  readonly children?: string | undefined;
  readonly filter?: (row: object) => boolean;
  readonly input?: object;
}

/** All rows of any list: `page` calls are asked for one page that holds everything. */
const ALL = { currentPage: 1, pageSize: pageSizes.most };

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
 * The rows of a call as choices, for what is no noun of the contract, such as the templates of games. Declared once beside the
 * screen: `const presets = optionsOf(listGamePresets, { label: 'name', value: 'key' })`.
 */
export function optionsOf<E extends AnyEndpoint>(endpoint: E, { label, value }: Reading<E>): OptionSource {
  const labelOf = typeof label === 'function' ? (label as (row: object) => string) : wordAt(label);
  return sourceOf(endpoint, { label: labelOf, value });
}

/** What stands in a field, as text. */
export const wordAt =
  (name: string) =>
  (row: object): string =>
    String(valueAt(row, name) ?? '');

/** Choices read from any call whose rows are told by the names of their fields. */
export function sourceOf(endpoint: AnyEndpoint, reading: RowReading): OptionSource {
  const { label, value = 'id', children, filter, input } = reading;
  const read = (rows: readonly object[], depth: number): Option[] =>
    rows.flatMap((row) => {
      const below = children ? read(rowsIn<object>(valueAt(row, children)), depth + 1) : [];
      const own = { value: valueAt(row, value) as OptionValue, label: label(row), depth, row };
      return filter && !filter(row) ? below : [own, ...below];
    });
  const everything = 'pageSize' in shapeOf(endpoint.input) ? ALL : {};
  return {
    endpoint,
    input: { ...everything, ...input },
    read: (data) => read(rowsIn<object>(data), 0),
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
    queries: [...sources.values()].map(({ endpoint, input }) => {
      const key = queryKey(endpoint, input);
      const read = () => call(endpoint, input, { loading: false, quiet: failedBefore(key) !== undefined });
      return { queryKey: key, queryFn: read };
    }),
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
