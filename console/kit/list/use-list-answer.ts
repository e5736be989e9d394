import { useCallback, useEffect } from 'react';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { readAhead, useEndpoint } from '../call/use-endpoint.ts';
import type { AskedField } from '../form/field-spec.ts';
import { totalIn } from '../form/options.ts';
import { type ListState, lacksEnd } from './address.ts';
import type { Given } from './given.ts';
import { useListAddress } from './use-list-address.ts';

interface Asking {
  readonly asked: readonly AskedField[];
  readonly sorts: readonly string[];
  readonly paged: boolean;
  readonly given: Given;
}

/** What the address asks of a list, what came of it, and the ways to ask otherwise. */
export function useListAnswer<E extends AnyEndpoint>(endpoint: E, { asked, sorts, paged, given }: Asking) {
  const asking = useCallback(
    ({ filters, sort, page, size }: ListState) =>
      ({
        ...{ ...given.search, ...filters },
        ...(sort === undefined ? {} : { sort }),
        ...(paged ? { currentPage: page, pageSize: size } : {}),
      }) as WireInput<E>,
    [given, paged],
  );
  const lacks = useCallback(
    ({ filters }: ListState) => asked.some(({ field }) => lacksEnd(field, filters)),
    [asked],
  );
  const ahead = useCallback(
    (to: ListState) => (lacks(to) ? undefined : readAhead(endpoint, asking(to))),
    [endpoint, asking, lacks],
  );
  const address = useListAddress(asked, sorts, ahead);
  const { state, turn } = address;
  const input = asking(state);
  /** A range has one end, so that nothing is asked. */
  const lacking = lacks(state);
  const fields = asked.map(({ field }) => field.name);
  const answer = useEndpoint(endpoint, input, { enabled: !lacking, fields });
  const { error, isFetching, isPlaceholderData, refetch, dataUpdatedAt: readAt } = answer;
  const data = lacking ? undefined : answer.data;

  // The last row of the last page was deleted, or a link names a page there is no more.
  const lastPage = Math.max(1, Math.ceil(totalIn(data) / state.size));
  const isBeyond = paged && data !== undefined && !isPlaceholderData && state.page > lastPage;
  useEffect(() => {
    if (isBeyond) turn(lastPage, state.size, { replace: true });
  }, [isBeyond, lastPage, state.size, turn]);

  return {
    ...address,
    /** What is searched for, with what the page says that the list stands on. */
    ...{ searched: { ...given.search, ...state.filters }, input, lacking },
    ...{ data, error, readAt, isFetching, refetch },
    isWaiting: isFetching && (data === undefined || isPlaceholderData),
  };
}
