import { useCallback, useState } from 'react';

/** All or none are open, and nothing is turned over singly. */
const uniform = (all: boolean) => ({ all, but: new Set<string>() });

/**
 * Which rows are open. Turning all of them over forgets what was opened or closed singly. A tree that was searched (`sought` is not empty)
 * begins open, at each search anew: what was found may stand far below.
 */
export function useOpenLines(sought: string) {
  const [open, setOpen] = useState(() => uniform(sought !== ''));
  const [of, setOf] = useState(sought);
  if (of !== sought) {
    setOf(sought);
    setOpen(uniform(sought !== ''));
  }
  const isOpen = useCallback((key: string) => open.all !== open.but.has(key), [open]);
  const toggle = useCallback((key: string) => {
    setOpen(({ all, but }) => {
      const next = new Set(but);
      if (!next.delete(key)) next.add(key);
      return { all, but: next };
    });
  }, []);
  const toggleAll = () => setOpen(({ all }) => uniform(!all));
  return { isOpen, toggle, toggleAll, all: open.all };
}
