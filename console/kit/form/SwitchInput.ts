import { fetched } from '../overlay/fetched.tsx';

/** For text that is `true` or `false`. */
export const SwitchInput = fetched(() => import('./SwitchFace.tsx').then((m) => m.SwitchFace));
