import { createContext, use, useEffect, useMemo, useRef } from 'react';
import { type AnyEndpoint, sightOf } from '#contract/endpoint.ts';
import { failureText } from '#contract/failures.ts';
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

/** Tells of calls whether the operator may press their buttons: a call's own button is held, or else a screen that makes it. */
function useHeld(): (call: AnyEndpoint) => boolean {
  const codes = use(CodesContext);
  const paths = use(PathsContext);
  return ({ access }) => {
    if (typeof access === 'string') return true;
    return access.button === undefined
      ? access.screens.some((screen) => paths.has(screen))
      : codes.has(access.button);
  };
}

/** Whether the operator may press the button of a call. */
export const useMay = (endpoint: AnyEndpoint): boolean => useHeld()(endpoint);

/** Why whoever holds the right to a call may not make it all the same: by what else they may see. */
export function useBlindness(endpoint: AnyEndpoint): string | undefined {
  const seen = sightOf(endpoint, useHeld());
  return seen && failureText('approvalSeesTooMuch', { what: seen.summary });
}

/** Whether the operator may open a screen. */
export const useMayOpen = (path: string): boolean => use(PathsContext).has(path);
