import { type RefObject, useEffect } from 'react';
import { readWindowCache, writeWindowCache } from '../../kit/call/index.ts';

type Positions = Readonly<Record<string, number>>;

const WAIT_MS = 10_000;
const positions = new Map<string, Record<string, number>>();
const nameOf = (tab: string): string => `scroll:${tab}`;

/** A box that scrolls, by what it is called. */
const boxName = (box: Element): string => box.getAttribute('aria-label') ?? box.className;

function kept(tab: string): Record<string, number> {
  const known = positions.get(tab);
  if (known) return known;
  const made = { ...readWindowCache<Positions>(nameOf(tab)) };
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
    for (const box of panel.querySelectorAll('[aria-label], .shell-content')) {
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
export function useKeptScroll(ref: RefObject<HTMLElement | null>, tab: string, shown: boolean): void {
  useEffect(() => {
    const panel = ref.current;
    if (!panel || !shown) return;
    const boxes = kept(tab);
    const stop = restore(panel, { ...boxes });
    const note = ({ target }: Event) => {
      // A box that has just been hidden tells that it is at its top.
      if (target instanceof Element && target.clientHeight > 0) boxes[boxName(target)] = target.scrollTop;
    };
    panel.addEventListener('scroll', note, true);
    return () => {
      stop();
      panel.removeEventListener('scroll', note, true);
    };
  }, [ref, tab, shown]);
}
