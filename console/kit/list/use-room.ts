import { type RefObject, useLayoutEffect, useState } from 'react';

/** Beside the side bar, before anything has been measured. */
const BESIDE = 230;

/** How wide an element is inside, now and whenever that changes; known before the first paint. */
export function useRoom(box: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(() => window.innerWidth - BESIDE);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return room;
}
