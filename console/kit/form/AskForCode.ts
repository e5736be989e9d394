import { fetched } from '../overlay/fetched.tsx';

/** The question for a fresh Google code, fetched when it is first asked. */
export const AskForCode = fetched(() => import('./StepUpDialog.tsx').then((m) => m.StepUpDialog));
