import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type ListState, listStateParams, readListState, type SearchValue } from './address.ts';
import type { AskedField } from './field-spec.ts';

interface ListAddress {
  readonly state: ListState;
  /** Searches from the first page. False when the address says so already, and only a fresh answer is wanted. */
  readonly search: (filters: Readonly<Record<string, SearchValue>>) => boolean;
  /** Turns to a page; `replace` leaves no way back to the one before. */
  readonly turn: (page: number, size: number, options?: { replace: boolean }) => void;
}

/** The list's state as the address holds it, and the two ways to change it. */
export function useListAddress(asked: readonly AskedField[]): ListAddress {
  const [params, setParams] = useSearchParams();
  const fields = useMemo(() => asked.map(({ field }) => field), [asked]);
  const state = useMemo(() => readListState(params, fields), [params, fields]);
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
  return { state, search, turn };
}
