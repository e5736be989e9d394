import { type RefObject, useEffect } from 'react';
import { readWindowCache, writeWindowCache } from '../../kit/call/index.ts';
import type { Tab } from './tab-list.ts';

type Positions = Readonly<Record<string, number>>;

/** Where boxes were scrolled to, and the search that they showed then: another one begins at its top. */
interface Kept {
  of: string | undefined;
  tops: Record<string, number>;
}

const WAIT_MS = 10_000;
const positions = new Map<string, Kept>();
const nameOf = (tab: string): string => `scroll:${tab}`;

/** A box that scrolls, by what it is called. */
const boxName = (box: Element): string => box.getAttribute('aria-label') ?? box.className;

const boxesIn = (panel: HTMLElement): Element[] => [
  ...panel.querySelectorAll('[aria-label], .shell-content'),
];

/** How far the boxes that were scrolled are by now. */
const topsNow = (panel: HTMLElement, before: Positions): Record<string, number> =>
  Object.fromEntries(
    boxesIn(panel)
      .map((box) => [boxName(box), box] as const)
      .filter(([name]) => name in before)
      .map(([name, box]) => [name, box.scrollTop]),
  );

function kept(tab: string): Kept {
  const known = positions.get(tab);
  if (known) return known;
  const before = readWindowCache<Partial<Kept>>(nameOf(tab));
  const made = { of: before?.of, tops: { ...before?.tops } };
  positions.set(tab, made);
  return made;
}

function keep(): void {
  for (const [tab, boxes] of positions) writeWindowCache(nameOf(tab), boxes);
}
if (typeof window !== 'undefined') window.addEventListener('pagehide', keep);

/** Puts each box where it was, as soon as what it shows is long enough; not against the hand of whoever scrolls meanwhile. */
function restore(panel: HTMLElement, wanted: Positions): () => void {
  const left = new Map(Object.entries(wanted).filter(([, top]) => top > 0));
  const look = () => {
    for (const box of boxesIn(panel)) {
      const top = left.get(boxName(box));
      if (top === undefined || box.scrollHeight - box.clientHeight < top) continue;
      left.delete(boxName(box));
      box.scrollTop = top;
    }
    if (left.size === 0) stop();
  };
  const watch = new MutationObserver(look);
  const stop = () => {
    watch.disconnect();
    panel.removeEventListener('wheel', stop);
    clearTimeout(timer);
  };
  const timer = setTimeout(stop, WAIT_MS);
  panel.addEventListener('wheel', stop, { passive: true });
  watch.observe(panel, { childList: true, subtree: true });
  look();
  return stop;
}

/** Keeps where the boxes of a tab are scrolled to, also through a reload. */
export function useKeptScroll(
  ref: RefObject<HTMLElement | null>,
  { id, search }: Pick<Tab, 'id' | 'search'>,
  shown: boolean,
): void {
  useEffect(() => {
    const panel = ref.current;
    if (!panel || !shown) return;
    const boxes = kept(id);
    if (boxes.of !== search) {
      boxes.tops = topsNow(panel, boxes.tops);
      boxes.of = search;
    }
    const stop = restore(panel, boxes.tops);
    const note = ({ target }: Event) => {
      // A box that has just been hidden tells that it is at its top.
      if (target instanceof Element && target.clientHeight > 0)
        boxes.tops[boxName(target)] = target.scrollTop;
    };
    panel.addEventListener('scroll', note, true);
    return () => {
      stop();
      panel.removeEventListener('scroll', note, true);
    };
  }, [ref, id, search, shown]);
}
