import { type ApprovalState, getApprovalState } from '#contract/approvals.ts';
import { useEndpoint, useMayOpen } from '../kit/call/index.ts';

/** Whatever the operator does here counts at once; this is for what others do. A window in the background asks for nothing. */
const POLL_MS = 30_000;
const path = '/main/system/approval';

/** What waits for a second operator, and on which screen. */
export interface Waiting extends Pick<ApprovalState, 'pending' | 'releasable'> {
  readonly path: string;
}

/** What waits, for whoever may open its screen; nothing when nothing does. */
export function useWaiting(): Waiting | undefined {
  const enabled = useMayOpen(path);
  const { data } = useEndpoint(getApprovalState, {}, { everyMs: POLL_MS, quiet: true, enabled });
  return enabled && data && data.pending > 0 ? { ...data, path } : undefined;
}

/** What a number beside a menu means. */
export const waitingWords = ({ pending, releasable }: Waiting): string =>
  `${pending} 项待复核，其中 ${releasable} 项可由您复核`;
