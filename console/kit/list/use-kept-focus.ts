import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { isCovered, subscribeOverlays } from '../overlay/overlays.ts';

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** The place of the row that something stands in. */
const rowAt = (inside: EventTarget | null): number | undefined => {
  const row = inside instanceof Element ? inside.closest('tr[data-index]') : null;
  return row ? Number(row.getAttribute('data-index')) : undefined;
};

/** Gives the keyboard to what can be done with the row at this place, or with the last; else to whatever there is of it, or to the list. */
function focusRow(list: HTMLElement, at: number): void {
  const row =
    list.querySelector(`tr[data-index="${at}"]`) ?? [...list.querySelectorAll('tr[data-index]')].at(-1);
  const stop =
    row?.querySelector<HTMLElement>('.list-actions :is(button, a)') ??
    row?.querySelector<HTMLElement>('button, a, input');
  (stop ?? list).focus({ preventScroll: true });
}

/** What is opened from a row stands over the list and gives the keyboard back. */
const OVER = '.popup, .ant-modal-root';

/**
 * A row that was decided or deleted by keyboard goes from under it: then the row that takes its place has the keyboard, and not the page, from
 * whose beginning the next Tab would start.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, lines: unknown): void {
  const at = useRef<number>(undefined);
  const comeBack = useCallback(() => {
    if (box.current && at.current !== undefined && isNowhere() && !isCovered())
      focusRow(box.current, at.current);
  }, [box]);
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const note = ({ target }: FocusEvent) => {
      at.current = rowAt(target);
    };
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && relatedTarget.closest(OVER)) return;
      setTimeout(() => {
        // What has gone with its row has not been left.
        const isThere = target instanceof Element && target.isConnected;
        if (isThere && !list.contains(document.activeElement) && !isCovered()) at.current = undefined;
      });
    };
    list.addEventListener('focusin', note);
    list.addEventListener('focusout', leave);
    // What was closed has the keyboard until it is taken away.
    const unsubscribe = subscribeOverlays(() => setTimeout(comeBack));
    return () => {
      list.removeEventListener('focusin', note);
      list.removeEventListener('focusout', leave);
      unsubscribe();
    };
  }, [box, comeBack]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row may have gone whenever there are other lines
  useLayoutEffect(comeBack, [comeBack, lines]);
}
