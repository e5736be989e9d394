import { type RefObject, useEffect } from 'react';
import { isCovered } from '../overlay/overlays.ts';

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"]';

/** “/” leads to the first search field, unless something is being typed or a dialog stands over the list. */
export function useSlashFocus(fields: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest(TYPING)) return;
      const first = fields.current?.querySelector<HTMLElement>('input:enabled');
      // A list that is kept behind another has no place on screen.
      if (!first || first.offsetParent === null || isCovered()) return;
      event.preventDefault();
      first.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [fields]);
}
