import { type RefObject, useEffect, useState } from 'react';
import { toast } from '../call/notices.ts';
import { agoText } from './cell-hover.ts';

/** Long enough not to follow a mouse that is only passing. */
const PAUSE_MS = 250;
/** The button stands before the place it is given; so far from a cell's start it stands within it. */
const OF_START = 26;

interface Place {
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

const textOf = (cell: Element): string => (cell.textContent ?? '').trim();

const isCut = (cell: Element): boolean => cell.scrollWidth > cell.clientWidth;

/** Whether a value ends where its cell does: one that stands there, and one that is cut at its start. */
const showsEnd = (cell: Element): boolean =>
  cell.matches('.at-end') || (cell.matches('.list-end-tells') && isCut(cell));

/** What a cell is worth copying: a value, not the buttons of a row. */
function cellUnder(target: EventTarget | null): HTMLElement | undefined {
  const cell = target instanceof Element ? target.closest('td') : null;
  const isValue =
    cell && !cell.matches('.list-last, .list-check, .list-detail > td') && !cell.querySelector('button');
  return isValue && !['', '—'].includes(textOf(cell)) ? cell : undefined;
}

/** Cells whose tooltip is from here. */
const told = new WeakSet<Element>();

/** What a cell that is cut off says, under the mouse; a text alone has that from its line. */
function tellCut(target: EventTarget | null): void {
  const cell = target instanceof HTMLElement ? target.closest('td') : null;
  if (!cell || (cell.title !== '' && !told.has(cell)) || cell.matches('.list-last, .list-detail > td'))
    return;
  cell.title = isCut(cell) ? textOf(cell) : '';
  told.add(cell);
}

/** Without TLS, and where it is switched off, browsers keep their clipboard from pages, but for what is selected in them. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text);
  }
}

function copySelected(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('nothing was copied');
}

/**
 * One button for a whole list, in the cell under the mouse, at its end or, where values stand at the end, at its start: it copies the value,
 * of money the plain number. A moment's cell tells on hover how long ago it was, one that is cut off all that it says.
 */
export function CellHover({ box }: { readonly box: RefObject<HTMLElement | null> }) {
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      clearTimeout(timer);
      setPlace(undefined);
    };
    const over = ({ target }: Event) => {
      if (target instanceof Element && target.closest('.cell-copy')) return;
      leave();
      tellCut(target);
      const cell = cellUnder(target);
      if (!cell) return;
      const text = textOf(cell);
      const ago = cell.matches('.list-moment') ? agoText(text) : undefined;
      if (ago) cell.title = `${text}（${ago}）`;
      timer = setTimeout(() => {
        const [at, frame] = [cell.getBoundingClientRect(), list.getBoundingClientRect()];
        // Where the value does not begin or end: it would be hidden.
        const side = showsEnd(cell) ? at.left + OF_START : Math.min(at.right, frame.right);
        const left = side - frame.left + list.scrollLeft;
        setPlace({ text, left, top: at.top - frame.top + list.scrollTop });
      }, PAUSE_MS);
    };
    list.addEventListener('pointerover', over);
    list.addEventListener('pointerleave', leave);
    list.addEventListener('scroll', leave);
    return () => {
      clearTimeout(timer);
      list.removeEventListener('pointerover', over);
      list.removeEventListener('pointerleave', leave);
      list.removeEventListener('scroll', leave);
    };
  }, [box]);
  if (!place) return null;
  const copy = () =>
    void copyText(place.text).then(
      () => toast('success', '已复制'),
      () => toast('error', '浏览器不允许复制'),
    );
  return (
    <button
      type="button"
      className="cell-copy"
      style={{ top: place.top, left: place.left }}
      aria-label={`复制 ${place.text}`}
      tabIndex={-1}
      onClick={copy}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" fill="none" stroke="currentColor">
        <path d="M4 4h6.5v6.5H4zM8 4V1.5H1.5V8H4" />
      </svg>
    </button>
  );
}
