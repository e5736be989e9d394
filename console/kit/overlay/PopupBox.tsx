import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { closePopup, type Popup } from './overlays.ts';
import './popup.css';

const GAP = 6;
const GAP_BESIDE = 12;
const EDGE = 8;

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

const focusable = (box: HTMLElement): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>('button, a, input'),
];

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

  useEffect(() => {
    const outside = (event: Event) => {
      const { target } = event;
      if (target instanceof Node && (ref.current?.contains(target) || anchor.contains(target))) return;
      closePopup();
    };
    window.addEventListener('pointerdown', outside, true);
    window.addEventListener('scroll', outside, true);
    window.addEventListener('resize', outside);
    return () => {
      window.removeEventListener('pointerdown', outside, true);
      window.removeEventListener('scroll', outside, true);
      window.removeEventListener('resize', outside);
    };
  }, [anchor]);

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
