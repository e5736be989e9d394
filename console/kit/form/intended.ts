import { useEffect, useState } from 'react';

/** A screen that has not come by then is not waited for any more. */
const PATIENCE_MS = 10_000;

/** The call whose form is to be opened as soon as its button is there. */
let intended: { readonly path: string; readonly until: number } | undefined;
const hearers = new Set<() => void>();

/** Opens the form of a call on the screen that is shown next, or already. */
export function intend(path: string): void {
  intended = { path, until: performance.now() + PATIENCE_MS };
  for (const hearer of hearers) hearer();
}

/** Opens a button's form when it was meant to be. */
export function useIntended(path: string, isMeant: boolean, open: () => void): void {
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const hear = () => setAsked((before) => before + 1);
    hearers.add(hear);
    return () => {
      hearers.delete(hear);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the button comes, or when it is asked for
  useEffect(() => {
    if (!isMeant || intended?.path !== path) return;
    const isLate = performance.now() > intended.until;
    intended = undefined;
    if (!isLate) open();
  }, [asked, isMeant]);
}
