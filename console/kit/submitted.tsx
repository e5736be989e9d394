import { lazy } from 'react';
import { openDialog } from './overlay/overlays.ts';

const LazyDialog = lazy(() =>
  import('./overlay/SubmittedDialog.tsx').then(({ SubmittedDialog }) => ({ default: SubmittedDialog })),
);

/** Tells that a call waits for a second operator, in place of any dialog it was made from. */
export const tellSubmitted = (approvalId: number): void => openDialog(<LazyDialog approvalId={approvalId} />);
