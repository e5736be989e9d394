import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useRef } from 'react';
import { useStore } from '../call/store.ts';
import { printing } from '../overlay/printing.ts';
import type { Line } from './tree-rows.ts';

/** Up to this many lines all stand in the page, where the browser's own search finds them; more are windowed. */
const WINDOW_FROM = 60;
const OVERSCAN = 12;
/** Where nothing that stood in the page is still in sight, lines beside those that are would only make them late. */
const OVERSCAN_OF_JUMP = 2;

/** The lines to draw: those in sight, and beside them as many more as pass between two looks, if any of them can be in sight at the next. */
export function linesAround({ startIndex, endIndex, count }: Range, moved: number): number[] {
  const jumps = Math.abs(moved) > endIndex - startIndex;
  const [before, after] = jumps
    ? [OVERSCAN_OF_JUMP, OVERSCAN_OF_JUMP]
    : [Math.max(OVERSCAN, -moved), Math.max(OVERSCAN, moved)];
  const first = Math.max(0, startIndex - before);
  const last = Math.min(count - 1, endIndex + after);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

interface LineWindow {
  /** The places of the lines that stand in the page. */
  readonly shown: readonly number[];
  /** How much room those above and below take. */
  readonly above: number;
  readonly below: number;
  /** For lines whose height is to be measured. */
  readonly measure: ((element: Element | null) => void) | undefined;
}

/**
 * Which of many lines stand in the page: those near what is seen of the box they scroll in. They are drawn in the scroll's own event,
 * before the browser shows where it has scrolled to. On paper all of them do.
 */
export function useLineWindow(
  box: RefObject<HTMLElement | null>,
  lines: readonly Line<object>[],
  linePx: number,
): LineWindow {
  const before = useRef(0);
  const onPaper = useStore(printing);
  const windowed = lines.length > WINDOW_FROM && !onPaper;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    // Other functions would have all lines measured anew at every scroll.
    estimateSize: useCallback(() => linePx, [linePx]),
    getItemKey: useCallback((index: number) => lines[index]?.key ?? index, [lines]),
    rangeExtractor: (range) => {
      const moved = range.startIndex - before.current;
      before.current = range.startIndex;
      return linesAround(range, moved);
    },
    // Windowed again once it was put on paper, it is where it was.
    initialOffset: () => box.current?.scrollTop ?? 0,
    initialRect: { width: 0, height: 720 },
    enabled: windowed,
  });
  if (!windowed) return { shown: lines.map((_, index) => index), above: 0, below: 0, measure: undefined };
  const items = virtual.getVirtualItems();
  return {
    shown: items.map(({ index }) => index),
    above: items[0]?.start ?? 0,
    below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
  };
}
