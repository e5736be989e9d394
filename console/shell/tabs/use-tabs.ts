import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { openRoutes } from '#contract/screens.ts';
import { dropDraftsOf, unsavedTabs } from '../../kit/form/index.ts';
import { dropTab, showTab } from '../../kit/overlay/index.ts';
import {
  addressOf,
  closed,
  copied,
  moved,
  neighbour,
  pinned,
  type Tab,
  type Tabs,
  visited,
} from './tab-list.ts';
import { readTabs, writeTabs } from './tab-storage.ts';

/** What going to a tab says along with the address. */
interface Said {
  readonly tab?: string;
  readonly closing?: readonly string[];
}

/** The tab of each entry of this page's history, so that going back leads to the copy that was left. */
const tabByKey = new Map<string, string>();

const isSaid = (state: unknown): state is Said => typeof state === 'object' && state !== null;

export interface TabActions {
  readonly show: (tab: Tab) => void;
  readonly close: (ids: readonly string[]) => void;
  readonly copy: (id: string) => void;
  readonly pin: (id: string, pin: boolean) => void;
  readonly move: (id: string, to: number) => void;
}

interface OpenTabs {
  readonly tabs: Tabs;
  /** Those whose screens have been drawn since the page was loaded; the others wait until they are shown. */
  readonly drawn: ReadonlySet<string>;
  readonly actions: TabActions;
}

/** The tabs as the address and what was kept have them; `mayOpen` says which screens there are for this operator. */
export function useTabs(mayOpen: (path: string) => boolean): OpenTabs {
  const { pathname, search, key, state } = useLocation();
  const navigate = useNavigate();
  const [tabs, setTabs] = useState(readTabs);
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set());

  const said = isSaid(state) ? state : {};
  const place = { path: pathname, search, tab: said.tab ?? tabByKey.get(key), closing: said.closing ?? [] };
  const now = mayOpen(pathname) ? visited(tabs, place, unsavedTabs()) : tabs;
  if (now !== tabs) setTabs(now);
  const { active } = now;
  if (mayOpen(pathname) && !drawn.has(active)) setDrawn(new Set([...drawn, active]));

  useEffect(() => {
    tabByKey.set(key, active);
  }, [key, active]);
  useLayoutEffect(() => showTab(active), [active]); // Before it is painted: keys belong to the tab that is seen.
  useEffect(() => writeTabs(now), [now]);

  const show = useCallback(
    (tab: Tab, closing: readonly string[] = []) =>
      void navigate(addressOf(tab), { state: { tab: tab.id, closing } }),
    [navigate],
  );
  const close = (ids: readonly string[]) => {
    for (const id of ids) {
      dropTab(id);
      dropDraftsOf(id);
    }
    if (!ids.includes(active)) return setTabs(closed(now, ids));
    const next = neighbour(now, ids);
    if (next) return show(next, ids);
    void navigate(openRoutes.overview.path, { state: { closing: ids } });
  };
  const copy = (id: string) => {
    const made = copied(now, id);
    setTabs(made.tabs);
    if (made.copy) show(made.copy);
  };
  const actions = {
    ...{ show: (tab: Tab) => show(tab), close, copy },
    pin: (id: string, pin: boolean) => setTabs(pinned(now, id, pin)),
    move: (id: string, to: number) => setTabs(moved(now, id, to)),
  };
  const open = { ...now, list: now.list.filter(({ path }) => mayOpen(path)) };
  return { tabs: open, drawn, actions };
}
