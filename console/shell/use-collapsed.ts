import { useEffect, useState } from 'react';
import { readCache, writeCache } from '../kit/call/index.ts';

const COLLAPSED = 'collapsed';
const phone = window.matchMedia('(max-width: 640px)');

/** Whether the menu is collapsed: as the operator left it, and on a phone until it is asked for. */
export function useCollapsed(pathname: string) {
  const [collapsed, setCollapsed] = useState(() => phone.matches || (readCache<boolean>(COLLAPSED) ?? false));
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone whatever was chosen is what one wants to see
  useEffect(() => {
    if (phone.matches) setCollapsed(true);
  }, [pathname]);
  const toggle = () => {
    if (!phone.matches) writeCache(COLLAPSED, !collapsed);
    setCollapsed(!collapsed);
  };
  return { collapsed, toggle, veiled: phone.matches && !collapsed };
}
