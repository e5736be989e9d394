import { fetched } from '../overlay/fetched.tsx';

/** For the name of an icon. */
export const IconInput = fetched(() => import('./IconFace.tsx').then((m) => m.IconFace));
