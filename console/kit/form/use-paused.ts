import { useEffect, useState } from 'react';

/** Asked for once nothing has been typed for so long. */
const PAUSE_MS = 300;

/** What was entered, once the typing pauses; `text` says when it is another. */
export function usePaused<T>(value: T, text: string = String(value)): T {
  const [paused, setPaused] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
