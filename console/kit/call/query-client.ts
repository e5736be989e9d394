import { QueryClient } from '@tanstack/react-query';

/**
 * What has been read is shown again at once and asked for anew whenever it is opened: operators decide about money by
 * these lists. Nothing is asked again by itself, since every failure is told by a toast.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 0, refetchOnWindowFocus: false, networkMode: 'always' },
  },
});
