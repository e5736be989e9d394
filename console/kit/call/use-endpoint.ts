import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { failedBefore, isReadBehind } from './ask-again.ts';
import { call } from './call.ts';
import type { CallFailed } from './call-failed.ts';
import { countAsRead, queryClient, queryKey } from './query-client.ts';

export interface EndpointOptions<E extends AnyEndpoint> {
  readonly loading?: boolean;
  readonly enabled?: boolean;
  /** Asks again every so many milliseconds, without locking the screen. */
  readonly everyMs?: number | undefined;
  /** Tells no failure: for what merely stands beside what an operator does. */
  readonly quiet?: boolean;
  /** The fields that stand where it is asked from, at which a refusal of them is told. */
  readonly fields?: readonly string[] | undefined;
  /** Read once and kept until a command changes something: what stands on every screen. */
  readonly lasting?: boolean;
  /** What is known before the answer. */
  readonly known?: Output<E> | undefined;
}

/** What a query answered last, if it was read before: for what is decided by what a choice of a form was read from. */
export const answeredBefore = <E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
): Output<E> | undefined => queryClient.getQueryData<Output<E>>(queryKey(endpoint, input));

const DRAWN_WITHIN_MS = 1_000;

/**
 * Reads what a screen is about to show, in the click that leads to it, so that it is drawn once and with its rows. Undefined where the
 * screen can be drawn at once, since it has something to show: it asks itself then, as it does where this fails.
 */
export function readAhead<E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
): Promise<void> | undefined {
  const key = queryKey(endpoint, input);
  if (queryClient.getQueryData(key) !== undefined) return undefined;
  return queryClient
    .prefetchQuery({
      queryKey: key,
      queryFn: ({ signal }) => call(endpoint, input, { signal, quiet: true }),
    })
    .then(() => {
      setTimeout(countAsRead(key), DRAWN_WITHIN_MS);
      // Whoever is drawn asks again, and tells why it failed.
      if (queryClient.getQueryState(key)?.status === 'error')
        queryClient.removeQueries({ queryKey: key, exact: true });
    });
}

/**
 * Reads by a query of the contract and keeps the answer by its name and input. While a new page or filter is on its
 * way the old rows stay. Any command that succeeds, or whose answer was lost, makes everything read before stale.
 */
export function useEndpoint<E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
  {
    loading = true,
    enabled = true,
    everyMs,
    known,
    lasting = false,
    quiet = false,
    fields,
  }: EndpointOptions<E> = {},
): UseQueryResult<Output<E>, CallFailed> {
  if (endpoint.kind !== 'query') throw new Error(`${endpoint.path} changes state: use useCommand`);
  const queryKeyed = queryKey(endpoint, input);
  const polled = everyMs !== undefined;
  const result: UseQueryResult<unknown, CallFailed> = useQuery<unknown, CallFailed>({
    queryKey: queryKeyed,
    queryFn: ({ signal }) => {
      const isAgain = failedBefore(queryKeyed, polled) !== undefined;
      const locks = loading && !polled && !isAgain && !isReadBehind();
      return call(endpoint, input, {
        ...{ signal, loading: locks, quiet: quiet || isAgain, fields },
      });
    },
    enabled,
    placeholderData: (previous: unknown) => previous ?? known,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(lasting ? { staleTime: Number.POSITIVE_INFINITY } : {}),
  });
  const error = failedBefore(queryKeyed, polled);
  // Copied, it would be drawn again for whatever becomes otherwise of it; unread, not for an error that has gone.
  const told: typeof result = error
    ? Object.create(result, { error: { get: () => result.error ?? error } })
    : result;
  return told as UseQueryResult<Output<E>, CallFailed>;
}
