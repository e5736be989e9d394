import { pageSizes } from '#contract/fields.ts';
import { type Field, isHalf } from '../form/field.ts';

export const PAGE_SIZES: readonly number[] = [20, 50, 100, 200, 500, 1000];

/** A search value as the address and the form hold it: text, or several texts (a range, several ids). */
export type SearchValue = string | readonly string[];

/** What a list shows: it lives in the address, so that a reload or a shared link shows the same. */
export interface ListState {
  readonly filters: Readonly<Record<string, SearchValue>>;
  readonly page: number;
  readonly size: number;
  /** The column it is sorted by, with a minus in front for the other way round; absent, the list's own order. */
  readonly sort?: string | undefined;
  /** Which columns in which order; absent, as the operator has them. */
  readonly columns?: readonly string[] | undefined;
}

const wholeFrom1 = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

export const isRange = ({ kind }: Pick<Field, 'kind'>): boolean => kind === 'range' || kind === 'days';

/** Whether one end of a range is missing: a list is not asked then, since nobody can mean all of it. */
export const lacksEnd = (field: Field, filters: Readonly<Record<string, unknown>>): boolean =>
  isRange(field) && isHalf(filters[field.name]);

function filterIn(params: URLSearchParams, field: Field): SearchValue | null {
  const values = params.getAll(field.name).filter((value) => value !== '');
  if (isRange(field)) return values.length === 1 || values.length === 2 ? values : null;
  if (field.many) return values.length > 0 ? values : null;
  const value = values[0];
  if (value === undefined) return null;
  return field.words && !Object.hasOwn(field.words, value) ? null : value;
}

/** Reads the list's state from the query string; what makes no sense there counts as absent. */
export function readListState(
  params: URLSearchParams,
  fields: readonly Field[],
  sorts: readonly string[] = [],
): ListState {
  const filters: Record<string, SearchValue> = {};
  for (const field of fields) {
    const value = filterIn(params, field);
    if (value !== null) filters[field.name] = value;
  }
  const size = wholeFrom1(params.get('pageSize'));
  const sort = params.get('sort');
  const columns = params
    .get('columns')
    ?.split(',')
    .filter((key) => key !== '');
  return {
    filters,
    page: wholeFrom1(params.get('currentPage')) ?? 1,
    size: size !== null && PAGE_SIZES.includes(size) ? size : pageSizes.usual,
    ...(sort !== null && sorts.includes(sort) ? { sort } : {}),
    ...(columns && columns.length > 0 ? { columns } : {}),
  };
}

/** Writes the state as a query string, leaving out what is as it would be anyway. */
export function listStateParams({ filters, page, size, sort, columns }: ListState): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    for (const one of typeof value === 'string' ? [value] : value) {
      if (one !== '') params.append(name, one);
    }
  }
  if (sort !== undefined) params.set('sort', sort);
  if (columns) params.set('columns', columns.join(','));
  if (page !== 1) params.set('currentPage', String(page));
  if (size !== pageSizes.usual) params.set('pageSize', String(size));
  return params;
}
