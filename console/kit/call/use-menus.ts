import { createContext, use, useEffect, useMemo, useRef } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { listCurrentMenus, type Menu } from '#contract/menus.ts';
import type { CallFailed } from './call-failed.ts';
import { useLiveWaiting } from './live.ts';
import { readMenusAgain } from './rights.ts';
import { readMenus, writeMenus } from './session.ts';
import { useEndpoint } from './use-endpoint.ts';

/** Which lists are told of by the news follows from what is granted: where those are others than before, so are the menus. */
function useToldRights(): void {
  const waiting = useLiveWaiting();
  const told = waiting && Object.entries(waiting).flatMap(([name, count]) => (count === null ? [] : name));
  const lists = told?.join();
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (lists === undefined) return;
    if (before.current !== undefined && before.current !== lists) readMenusAgain();
    before.current = lists;
  }, [lists]);
}

interface ReadMenus {
  readonly menus: Menu[] | undefined;
  readonly failure: CallFailed | null;
  readonly readAgain: () => void;
}

/** The signed-in operator's menus: the cached ones at once and where the server does not answer, else the server's. None while neither is here. */
export function useReadMenus(): ReadMenus {
  const known = useMemo(readMenus, []);
  useToldRights();
  const { data, isPlaceholderData, error, refetch } = useEndpoint(
    listCurrentMenus,
    {},
    { known, loading: known === undefined },
  );
  useEffect(() => {
    if (data && !isPlaceholderData) writeMenus(data);
  }, [data, isPlaceholderData]);
  return { menus: data ?? known, failure: error, readAgain: () => void refetch() };
}

/** The same where the shell is drawn, which it is not without them. */
export const useMenus = (): Menu[] => useReadMenus().menus ?? [];

/** The button codes held. The shell reads the menus once; hundreds of buttons in rows only look here. */
export const CodesContext = createContext<ReadonlySet<string>>(new Set());

/** The screens granted, by route; see `CodesContext`. */
export const PathsContext = createContext<ReadonlySet<string>>(new Set());

/** Whether the operator may press the button of a call: its own button is held, or else a screen that makes it. */
export function useMay({ access }: AnyEndpoint): boolean {
  const codes = use(CodesContext);
  const paths = use(PathsContext);
  if (typeof access === 'string') return true;
  return access.button === undefined
    ? access.screens.some((screen) => paths.has(screen))
    : codes.has(access.button);
}

/** Whether the operator may open a screen. */
export const useMayOpen = (path: string): boolean => use(PathsContext).has(path);
