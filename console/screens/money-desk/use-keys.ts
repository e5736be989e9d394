import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isComposing } from '../../kit/form/index.ts';
import { isCovered } from '../../kit/overlay/index.ts';

const TYPING =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"]';

/** What each key does, by the key in lower case; a key that does nothing at present is not there. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Acts by single keys while a desk is on screen. Nothing acts while something is typed or composed, a dialog stands over the desk, or a key is held
 * down.
 */
export function useKeys(desk: RefObject<HTMLElement | null>, keys: Keys): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, repeat } = event;
    if (ctrlKey || metaKey || altKey || isComposing(event) || repeat) return;
    if (target instanceof Element && target.closest(TYPING)) return;
    // A desk that is kept behind another tab has no place on screen.
    if (!desk.current || desk.current.offsetParent === null || isCovered()) return;
    const meant = keys[event.key.toLowerCase()];
    if (!meant) return;
    event.preventDefault();
    meant();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => act(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
