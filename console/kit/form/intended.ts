import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { storeOf } from '../call/store.ts';

/** A screen that has not come by then is not waited for any more. */
const PATIENCE_MS = 10_000;

/** The call whose form is to be opened as soon as its button is there. */
const intended = storeOf<{ readonly path: string; readonly until: number } | undefined>(undefined);

/** Opens the form of a call on the screen that is shown next, or already. */
export function intend(path: string): void {
  intended.write({ path, until: performance.now() + PATIENCE_MS });
}

/** Opens a button's form when it was meant to be: when the button comes, or when it is asked for. */
export function useIntended(path: string, isMeant: boolean, open: () => void): void {
  const { subscribe, read, write } = intended;
  const isAsked = useSyncExternalStore(subscribe, () => isMeant && read()?.path === path);
  const begin = useEffectEvent(() => {
    const meant = read();
    // Another button of the same call was quicker.
    if (meant?.path !== path) return;
    write(undefined);
    if (performance.now() <= meant.until) open();
  });
  useEffect(() => {
    if (isAsked) begin();
  }, [isAsked]);
}
