import { type RefObject, useLayoutEffect, useState } from 'react';

const fieldOf = (inside: Element): HTMLElement | null => inside.closest<HTMLElement>('[data-field]');
const first = (fields: Element): HTMLElement | null => fields.querySelector<HTMLElement>('[data-field]');

/** Whether a search field, or what stands in it, is below the first row. */
export function isBelowFirst(inside: Element): boolean {
  const field = fieldOf(inside);
  const top = field?.parentElement && first(field.parentElement)?.offsetTop;
  return field !== null && typeof top === 'number' && field.offsetTop > top;
}

interface Fold {
  /** Whether there is more than one row. */
  readonly folds: boolean;
  readonly folded: boolean;
  readonly setFolded: (folded: boolean) => void;
}

/** Search fields after the first row are folded away, unless the search fills one of them. */
export function useFold(fields: RefObject<HTMLElement | null>, filled: readonly string[]): Fold {
  const [folds, setFolds] = useState(false);
  const [folded, setFolded] = useState(true);
  useLayoutEffect(() => {
    const element = fields.current;
    if (!element) return;
    const measure = () =>
      setFolds([...element.querySelectorAll('[data-field]')].some((field) => isBelowFirst(field)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [fields]);
  const names = filled.join();
  useLayoutEffect(() => {
    const isHidden = (name: string): boolean => {
      const field = fields.current?.querySelector(`[data-field="${CSS.escape(name)}"]`);
      return field ? isBelowFirst(field) : false;
    };
    if (names.split(',').filter(Boolean).some(isHidden)) setFolded(false);
  }, [fields, names]);
  return { folds, folded: folds && folded, setFolded };
}
