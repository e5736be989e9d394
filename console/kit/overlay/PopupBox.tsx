import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { closePopup, type Popup } from './overlays.ts';
import './popup.css';

const GAP = 6;
const GAP_BESIDE = 12;
const EDGE = 8;
/** Parts of a pixel are no move. */
const STILL_PX = 1;

/** Beside the anchor, or under it (above where there is no room) and flush with its end; always inside the window. */
function place(box: HTMLElement, anchor: HTMLElement, side: Popup['side']): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const hasRoom = at.bottom + GAP + height + EDGE <= window.innerHeight;
  const below = hasRoom ? at.bottom + GAP : at.top - GAP - height;
  const left = side === 'beside' ? at.right + GAP_BESIDE : at.right - width;
  const top = side === 'beside' ? at.top : below;
  box.style.left = `${Math.max(Math.min(left, window.innerWidth - width - EDGE), EDGE)}px`;
  box.style.top = `${Math.max(Math.min(top, window.innerHeight - height - EDGE), EDGE)}px`;
}

/** What the keyboard stops at: not what is disabled, but for a button that became so under it. */
const STOPS = 'button:enabled:not([aria-disabled="true"]:not(:focus)), a, input:enabled';
const focusable = (box: HTMLElement): HTMLElement[] => [...box.querySelectorAll<HTMLElement>(STOPS)];

/**
 * Closes the popup by a click outside and by a scroll that takes its anchor away. Any other scroll closes nothing: a browser tells of one a
 * frame late, often after the click that opened the popup, and what moves elsewhere takes no menu from the hand.
 */
function closingBy(anchor: HTMLElement, box: RefObject<HTMLElement | null>): () => void {
  const begun = anchor.getBoundingClientRect();
  const onPress = ({ target }: Event) => {
    if (target instanceof Node && (box.current?.contains(target) || anchor.contains(target))) return;
    closePopup();
  };
  const onScroll = ({ target }: Event) => {
    if (!(target instanceof Node && target.contains(anchor))) return;
    const { left, top } = anchor.getBoundingClientRect();
    if (Math.abs(left - begun.left) + Math.abs(top - begun.top) > STILL_PX) closePopup();
  };
  window.addEventListener('pointerdown', onPress, true);
  window.addEventListener('scroll', onScroll, true);
  window.addEventListener('resize', closePopup);
  return () => {
    window.removeEventListener('pointerdown', onPress, true);
    window.removeEventListener('scroll', onScroll, true);
    window.removeEventListener('resize', closePopup);
  };
}

/** The popup: takes the keyboard, keeps Tab and the arrows inside, and closes by Escape, a click outside or a scroll. */
export function PopupBox({ anchor, label, content, side }: Popup) {
  const ref = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    place(box, anchor, side);
    const stops = focusable(box);
    (box.querySelector<HTMLElement>('[data-first]') ?? stops[0])?.focus({ preventScroll: true });
  }, [anchor, side]);

  useEffect(() => closingBy(anchor, ref), [anchor]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      closePopup();
      return;
    }
    const step = { Tab: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const box = ref.current;
    if (!step || !box) return;
    event.preventDefault();
    const stops = focusable(box);
    const now = stops.findIndex((stop) => stop.matches(':focus'));
    stops.at((now + step) % stops.length)?.focus();
  };

  return (
    <div ref={ref} className="popup" role="dialog" aria-label={label} onKeyDown={onKeyDown}>
      {content}
    </div>
  );
}
