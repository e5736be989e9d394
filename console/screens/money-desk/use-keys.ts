import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import { isComposing } from '../../kit/form/index.ts';
import { isCovered } from '../../kit/overlay/index.ts';

const FIELDS = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]';

/** Whether something is typed there. A dialog with the keyboard that does not stand over the desk is another tab's, on its way out. */
const isTyped = (target: Element): boolean =>
  target.closest(FIELDS) !== null && target.closest('[role="dialog"]') === null;

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
    // A desk that is kept behind another tab has no place on screen.
    if (!desk.current || desk.current.offsetParent === null || isCovered()) return;
    if (target instanceof Element && isTyped(target)) return;
    const meant = keys[event.key.toLowerCase()];
    if (!meant) return;
    event.preventDefault();
    meant();
  });
  // Before the desk is painted: who sees it may press.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => act(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
