import { lazy } from 'react';

/** The question for a fresh Google code, fetched when it is first asked. */
export const AskForCode = lazy(() => import('./StepUpDialog.tsx').then((m) => ({ default: m.StepUpDialog })));
