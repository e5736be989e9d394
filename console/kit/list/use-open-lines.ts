import { useCallback, useState } from 'react';

/** Which rows are open. Turning all of them over forgets what was opened or closed singly. */
export function useOpenLines(openAtFirst: boolean) {
  const [open, setOpen] = useState({ all: openAtFirst, but: new Set<string>() });
  const isOpen = useCallback((key: string) => open.all !== open.but.has(key), [open]);
  const toggle = useCallback((key: string) => {
    setOpen(({ all, but }) => {
      const next = new Set(but);
      if (!next.delete(key)) next.add(key);
      return { all, but: next };
    });
  }, []);
  const toggleAll = () => setOpen(({ all }) => ({ all: !all, but: new Set() }));
  return { isOpen, toggle, toggleAll, all: open.all };
}
