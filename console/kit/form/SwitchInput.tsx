import { lazy } from 'react';
import type { InputProps } from './field-spec.ts';

const LazyFace = lazy(() => import('./SwitchFace.tsx').then(({ SwitchFace }) => ({ default: SwitchFace })));

/** For text that is `true` or `false`. */
export const SwitchInput = (props: InputProps) => <LazyFace {...props} />;
