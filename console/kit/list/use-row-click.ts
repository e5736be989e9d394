import { type MouseEvent, useEffect, useRef } from 'react';

/** What does something of its own when clicked. */
const INTERACTIVE = 'a, button, input, select, label, .list-actions, .list-detail';

/** Whoever selects a word clicks twice. */
const SECOND_CLICK_MS = 250;

/** Opens a row that is clicked once where no button is; selecting text in it does not. */
export function useRowClick(onOpen: ((at: number) => void) | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return ({ target, detail }: MouseEvent<HTMLElement>): void => {
    clearTimeout(timer.current);
    const line =
      target instanceof Element && !target.closest(INTERACTIVE) && target.closest('tr[data-index]');
    if (!line || detail > 1) return;
    const at = Number(line.getAttribute('data-index'));
    timer.current = setTimeout(() => {
      if (window.getSelection()?.isCollapsed !== false) onOpen?.(at);
    }, SECOND_CLICK_MS);
  };
}
