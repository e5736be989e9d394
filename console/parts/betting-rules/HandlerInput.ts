import { fetched } from '../../kit/overlay/index.ts';

/** For the name of a result handler. */
export const HandlerInput = fetched(() => import('./HandlerFace.tsx').then((m) => m.HandlerFace));
