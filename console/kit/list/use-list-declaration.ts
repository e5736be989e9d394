import { useMemo, useState } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { shapeOf } from '../form/field.ts';
import { type AskedField, askedFields, type FieldName, type FieldSpec } from '../form/field-spec.ts';
import { type Options, type RowOf, useOptions } from '../form/options.ts';
import { type Column, type ColumnSpec, columnsOf } from './columns.ts';
import { type Given, isGiven } from './given.ts';
import { tellingColumns } from './row-about.tsx';
import { sortsOf } from './sorts.ts';

/** What a list screen says of its fields. */
export interface ListDeclaration<E extends AnyEndpoint> {
  /** A `page` call (with a pager) or a `list` call (without). Its contract names and shapes everything below. */
  readonly endpoint: E;
  readonly columns: readonly ColumnSpec<RowOf<E>>[];
  readonly search?: readonly FieldSpec<FieldName<E>>[];
  /** What the dialogs of a row say of it; the first few columns unless told otherwise. */
  readonly about?: readonly ColumnSpec<RowOf<E>>[];
}

type Wanted = readonly [name: string, options: Options | undefined];

/** The choices that columns and search fields draw on, by the field's name. */
const wantedOptions = (columns: readonly Column<never>[], asked: readonly AskedField[]) =>
  Object.fromEntries([
    ...asked.map(({ field, optionsFor }): Wanted => [field.name, optionsFor?.({})]),
    ...columns.filter(({ options }) => options).map(({ key, options }): Wanted => [key, options]),
  ]);

/** A declaration with what the contract says of it. It never changes while its screen is open, though its literals are new at each render. */
export function useListDeclaration<E extends AnyEndpoint>(declared: ListDeclaration<E>, given: Given) {
  type Row = RowOf<E> & object;
  const { endpoint } = declared;
  const columnsBy = (specs: readonly ColumnSpec<RowOf<E>>[]) =>
    columnsOf<Row>(endpoint, specs as readonly ColumnSpec<Row>[]);
  const [columns] = useState(() => columnsBy(declared.columns));
  const [about] = useState(() => (declared.about ? columnsBy(declared.about) : tellingColumns(columns)));
  const [asked] = useState(() =>
    askedFields(endpoint, declared.search ?? []).filter(
      ({ field }) => !(field.name in given.search || isGiven(field, given)),
    ),
  );
  const [sorts] = useState(() => sortsOf(endpoint));
  const options = useOptions(useMemo(() => wantedOptions(columns, asked), [columns, asked]));
  return { columns, about, asked, sorts, options, paged: 'pageSize' in shapeOf(endpoint.input) };
}
