import { type ComponentType, lazy, useState } from 'react';
import { patiently } from './fetched.tsx';

export interface LazyPart {
  /** Fetches the part; awaited before drawing, it is there at once. */
  readonly fetch: () => Promise<ComponentType>;
  readonly Part: ComponentType;
}

/**
 * A part of the console in a chunk of its own. Unlike with React's `lazy` alone, a part that was fetched before it is drawn
 * needs no fallback: React holds back what follows a fallback by 300 ms, so that fallbacks do not flicker.
 */
export function lazily(load: () => Promise<ComponentType>): LazyPart {
  let loaded: ComponentType | undefined;
  const fetch = async () => {
    loaded ??= await patiently(load);
    return loaded;
  };
  const Lazy = lazy(async () => ({ default: await fetch() }));
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each chunk, beside the routes
  const Part = () => {
    const [Chosen] = useState<ComponentType>(() => loaded ?? Lazy);
    return <Chosen />;
  };
  return { fetch, Part };
}
