import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { AskedField } from '../form/field-spec.ts';
import { type ListState, listStateParams, readListState, type SearchValue } from './address.ts';

interface ListAddress {
  readonly state: ListState;
  /** Searches from the first page. False when the address says so already, and only a fresh answer is wanted. */
  readonly search: (filters: Readonly<Record<string, SearchValue>>) => boolean;
  /** Turns to a page; `replace` leaves no way back to the one before. */
  readonly turn: (page: number, size: number, options?: { replace: boolean }) => void;
  /** Sorts from the first page on; undefined for the list's own order. */
  readonly sortBy: (sort: string | undefined) => void;
  /** Leaves to the operator's layout which columns there are. */
  readonly dropColumns: () => void;
}

/**
 * The list's state as the address holds it, and the ways to change it. `ahead` reads what a state will show; the address changes when that
 * is there, unless somebody has gone elsewhere meanwhile.
 */
export function useListAddress(
  asked: readonly AskedField[],
  sorts: readonly string[],
  ahead: (to: ListState) => Promise<void> | undefined,
): ListAddress {
  const [params, setAddress] = useSearchParams();
  const fields = useMemo(() => asked.map(({ field }) => field), [asked]);
  const state = useMemo(() => readListState(params, fields, sorts), [params, fields, sorts]);
  const setParams = useCallback(
    (to: URLSearchParams, options?: { replace: boolean }) => {
      const { href } = location;
      const go = () => location.href === href && setAddress(to, options);
      const reading = ahead(readListState(to, fields, sorts));
      if (reading) void reading.then(go);
      else go();
    },
    [ahead, fields, sorts, setAddress],
  );
  const search = (filters: Readonly<Record<string, SearchValue>>): boolean => {
    const next = listStateParams({ ...state, filters, page: 1 });
    if (next.toString() === listStateParams(state).toString()) return false;
    setParams(next);
    return true;
  };
  const turn = useCallback(
    (page: number, size: number, options?: { replace: boolean }) =>
      setParams(listStateParams({ ...state, page: size === state.size ? page : 1, size }), options),
    [setParams, state],
  );
  const sortBy = useCallback(
    (sort: string | undefined) => setParams(listStateParams({ ...state, sort, page: 1 })),
    [setParams, state],
  );
  const dropColumns = useCallback(() => {
    if (state.columns) setAddress(listStateParams({ ...state, columns: undefined }), { replace: true });
  }, [setAddress, state]);
  return { state, search, turn, sortBy, dropColumns };
}
