import { useCallback, useEffect, useState } from 'react';

/** Whether the palette is open: Ctrl-K (or ⌘K) opens and closes it from everywhere. */
export function usePalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
  return { isOpen, open: useCallback(() => setOpen(true), []), close: useCallback(() => setOpen(false), []) };
}
