import { lazy } from 'react';
import type { InputProps } from './field-spec.ts';

const LazyFace = lazy(() => import('./IconFace.tsx').then(({ IconFace }) => ({ default: IconFace })));

/** For the name of an icon. */
export const IconInput = (props: InputProps) => <LazyFace {...props} />;
