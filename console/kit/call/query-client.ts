import { hashKey, QueryClient } from '@tanstack/react-query';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';

/** What an answer is kept by: the call, and its input. */
export type QueryKey = readonly unknown[];

export const queryKey = <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>): QueryKey => [
  `${endpoint.verb} ${endpoint.path}`,
  input,
];

/** What was read for a screen before it is drawn: drawing it asks for nothing. */
const readAhead = new Set<string>();

/** Says that the screen drawn next need not ask for this; the function returned takes that back. */
export function countAsRead(key: QueryKey): () => void {
  const hash = hashKey(key);
  readAhead.add(hash);
  return () => readAhead.delete(hash);
}

/**
 * What has been read is shown again at once and asked for anew whenever it is opened: operators decide about money by
 * these lists. Nothing is asked again by itself, since every failure is told by a toast.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      staleTime: ({ queryHash }) => (readAhead.has(queryHash) ? Number.POSITIVE_INFINITY : 0),
    },
  },
});

/** Whether anything on screen shows this answer. */
export const isLookedAt = (key: QueryKey): boolean =>
  (queryClient.getQueryCache().find({ queryKey: key, exact: true })?.getObserversCount() ?? 0) > 0;
