import { useEffect, useState } from 'react';

/** Asked for once nothing has been typed for so long. */
const PAUSE_MS = 300;

/** What was typed, once the typing pauses. */
export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
