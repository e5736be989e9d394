import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { isCovered, overlays } from '../overlay/overlays.ts';
import type { Line } from './tree-rows.ts';

/** What had the keyboard last, and in which of the lines as they were then. */
interface Noted {
  readonly stop: Element;
  readonly lines: readonly Line<object>[];
  readonly at: number;
}

/** Where the line is by now; where it has gone, the next one below it that is still there, else the next above. */
export function placeAfter({ lines: before, at }: Omit<Noted, 'stop'>, lines: Noted['lines']): number {
  const places = new Map(lines.map(({ key }, place) => [key, place]));
  const nearest = [...before.slice(at), ...before.slice(0, at).toReversed()];
  return nearest.map(({ key }) => places.get(key)).find((place) => place !== undefined) ?? 0;
}

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** The place of the row that something stands in. */
const rowAt = (inside: EventTarget | null): number | undefined => {
  const row = inside instanceof Element ? inside.closest('tr[data-index]') : null;
  return row ? Number(row.getAttribute('data-index')) : undefined;
};

/** Gives the keyboard to what can be done with the row at this place, or near it where only some are drawn; else to whatever there is of it, or to the list. */
function focusRow(list: HTMLElement, at: number): void {
  const rows = [...list.querySelectorAll('tr[data-index]')];
  const row = rows.find((each) => (rowAt(each) ?? 0) >= at) ?? rows.at(-1);
  const stop =
    row?.querySelector<HTMLElement>('.list-actions :is(button:enabled, a)') ??
    row?.querySelector<HTMLElement>('button:enabled, a, input:enabled');
  (stop ?? list).focus({ preventScroll: true });
}

/** Whether the line is still there, and not among those that are drawn: the keys go on scrolling the list. */
function isScrolledOut(
  list: HTMLElement,
  { stop, lines: before, at }: Noted,
  lines: Noted['lines'],
): boolean {
  if (stop.isConnected) return false;
  const place = lines.findIndex(({ key }) => key === before[at]?.key);
  return place >= 0 && !list.querySelector(`tr[data-index="${place}"]`);
}

/** What is opened from a row stands over the list and gives the keyboard back. */
const OVER = '.popup, .ant-modal-root';

/**
 * A row that was decided or deleted by keyboard goes from under it: then the row that takes its place has the keyboard, and not the page, from
 * whose beginning the next Tab would start.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, lines: Noted['lines']): void {
  const now = useRef(lines);
  const noted = useRef<Noted>(undefined);
  const comeBack = useCallback(() => {
    if (!box.current || !noted.current || !isNowhere() || isCovered()) return;
    const { stop } = noted.current;
    // Whoever has left what is still there has gone elsewhere.
    if (stop.isConnected && !stop.matches(':disabled')) return;
    focusRow(box.current, placeAfter(noted.current, now.current));
  }, [box]);
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const note = ({ target }: FocusEvent) => {
      const at = rowAt(target);
      noted.current =
        target instanceof Element && at !== undefined ? { stop: target, lines: now.current, at } : undefined;
    };
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && relatedTarget.closest(OVER)) return;
      setTimeout(() => {
        // What has gone with its row has not been left.
        const isThere = target instanceof Element && target.isConnected;
        if (isThere && !list.contains(document.activeElement) && !isCovered()) noted.current = undefined;
      });
    };
    list.addEventListener('focusin', note);
    list.addEventListener('focusout', leave);
    // What was closed has the keyboard until it is taken away.
    const unsubscribe = overlays.subscribe(() => setTimeout(comeBack));
    return () => {
      list.removeEventListener('focusin', note);
      list.removeEventListener('focusout', leave);
      unsubscribe();
      // Another tab is shown.
      noted.current = undefined;
    };
  }, [box, comeBack]);
  useLayoutEffect(() => {
    now.current = lines;
    comeBack();
  }, [comeBack, lines]);
  useLayoutEffect(() => {
    const list = box.current;
    if (list && noted.current && isNowhere() && !isCovered() && isScrolledOut(list, noted.current, lines))
      list.focus({ preventScroll: true });
  });
}
