import { useEffect, useMemo } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { listCurrentMenus, type Menu } from '#contract/menus.ts';
import { heldCodes } from './menu-tree.ts';
import { readMenus, writeMenus } from './session.ts';
import { useEndpoint } from './use-endpoint.ts';

/** The signed-in operator's menus: the cached ones at once, then the server's. Undefined while neither is here. */
export function useMenus(): Menu[] | undefined {
  const known = useMemo(readMenus, []);
  const { data, isPlaceholderData } = useEndpoint(
    listCurrentMenus,
    {},
    { known, loading: known === undefined },
  );
  useEffect(() => {
    if (data && !isPlaceholderData) writeMenus(data);
  }, [data, isPlaceholderData]);
  return data;
}

/** Whether the operator may press the button of a call: calls without a button code are open to all who see them. */
export function useMay(endpoint: AnyEndpoint): boolean {
  const menus = useMenus();
  const codes = useMemo(() => heldCodes(menus ?? []), [menus]);
  const { access } = endpoint;
  return typeof access === 'string' || access.button === undefined || codes.has(access.button);
}
