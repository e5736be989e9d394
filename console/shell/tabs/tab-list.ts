import { isRowPage } from '#contract/nouns.ts';

/** A screen that is open: its address is what it shows, so two tabs of one screen are two searches side by side. */
export interface Tab {
  readonly id: string;
  readonly path: string;
  /** The search in the address, with its question mark, or nothing. */
  readonly search: string;
  readonly pinned: boolean;
  /** The higher, the later it was on screen. */
  readonly used: number;
}

export interface Tabs {
  readonly list: readonly Tab[];
  readonly active: string;
}

/** Where the address leads, and the tab it is said to belong to. */
export interface Place {
  readonly path: string;
  readonly search: string;
  readonly tab?: string | undefined;
  /** Tabs that are closed by going there. */
  readonly closing?: readonly string[];
}

export const MOST_TABS = 20;

export const noTabs: Tabs = { list: [], active: '' };

export const addressOf = ({ path, search }: Pick<Tab, 'path' | 'search'>): string => path + search;

const latest = (list: readonly Tab[]): Tab | undefined => list.toSorted((a, b) => b.used - a.used)[0];

/** Of a screen that shows one row in full, which row that is; nothing where none is chosen yet. */
const rowOf = ({ search }: Pick<Tab, 'search'>): string | null => new URLSearchParams(search).get('id');

/** The tabs that may show an address: of a row's page those of that row, else one where none is chosen yet. */
function fitting(list: readonly Tab[], place: Place): readonly Tab[] {
  if (!isRowPage(place.path)) return list;
  const own = list.filter((tab) => rowOf(tab) === rowOf(place));
  return own.length > 0 ? own : list.filter((tab) => rowOf(tab) === null);
}

/** The tab of an address: the one it is said to be, else the one on screen, else the latest with it, else the latest of its screen. */
function tabAt({ list, active }: Tabs, place: Place): Tab | undefined {
  const { path, search, tab } = place;
  const all = list.filter((each) => each.path === path);
  const same = fitting(all, place);
  return (
    all.find(({ id }) => id === tab) ??
    same.find(({ id }) => id === active) ??
    latest(same.filter((each) => each.search === search)) ??
    latest(same)
  );
}

const newId = (): string => Math.random().toString(36).slice(2, 10);

/** Makes room for one more: the one that was on screen longest ago goes, unless it is pinned or something is entered in it. */
function withRoom(list: readonly Tab[], unsaved: ReadonlySet<string>): readonly Tab[] {
  if (list.length < MOST_TABS) return list;
  const oldest = list
    .filter(({ id, pinned }) => !pinned && !unsaved.has(id))
    .toSorted((a, b) => a.used - b.used)[0];
  return list.filter((tab) => tab !== oldest);
}

/** The tabs once the address leads there; the very same ones where nothing changes. */
export function visited(tabs: Tabs, place: Place, unsaved: ReadonlySet<string> = new Set()): Tabs {
  const closing = new Set(place.closing);
  const left = tabs.list.filter(({ id }) => !closing.has(id));
  const list = left.length < tabs.list.length ? left : tabs.list;
  const { path, search } = place;
  const found = tabAt({ list, active: tabs.active }, place);
  if (found && list === tabs.list && found.id === tabs.active && found.search === search) return tabs;
  const used = Math.max(0, ...list.map((tab) => tab.used)) + 1;
  if (!found) {
    const tab = { id: newId(), path, search, pinned: false, used };
    return { list: [...withRoom(list, unsaved), tab], active: tab.id };
  }
  return { list: list.map((tab) => (tab === found ? { ...tab, search, used } : tab)), active: found.id };
}

/** Those that are closed, but for the pinned ones where many go at once. */
export const closed = (tabs: Tabs, ids: readonly string[]): Tabs => ({
  ...tabs,
  list: tabs.list.filter(({ id }) => !ids.includes(id)),
});

/** The tab to show once these are closed: the next to the one on screen, that to its right first. */
export function neighbour({ list, active }: Tabs, closing: readonly string[]): Tab | undefined {
  const at = list.findIndex(({ id }) => id === active);
  const stays = (tab: Tab) => !closing.includes(tab.id);
  return list.slice(at).find(stays) ?? list.slice(0, at).findLast(stays);
}

/** A second copy of a screen, beside it. */
export function copied(tabs: Tabs, id: string): { readonly tabs: Tabs; readonly copy: Tab | undefined } {
  const at = tabs.list.findIndex((tab) => tab.id === id);
  const of = tabs.list[at];
  if (!of) return { tabs, copy: undefined };
  const copy = { ...of, id: newId(), pinned: false };
  return { tabs: { ...tabs, list: sorted(tabs.list.toSpliced(at + 1, 0, copy)) }, copy };
}

/** Pinned ones stand first. */
const sorted = (list: readonly Tab[]): readonly Tab[] =>
  list.toSorted((a, b) => Number(b.pinned) - Number(a.pinned));

/** Keeps a tab in front, or lets it go back among the others. */
export const pinned = (tabs: Tabs, id: string, pin: boolean): Tabs => ({
  ...tabs,
  list: sorted(tabs.list.map((tab) => (tab.id === id ? { ...tab, pinned: pin } : tab))),
});

/** Moves a tab to where another stands. */
export function moved(tabs: Tabs, id: string, to: number): Tabs {
  const tab = tabs.list.find((each) => each.id === id);
  if (!tab) return tabs;
  const others = tabs.list.filter((each) => each !== tab);
  return { ...tabs, list: sorted(others.toSpliced(Math.max(0, to), 0, tab)) };
}

/** What in its address tells a tab from another of its screen: the row it shows, the first values that are searched by, else which copy it is. */
export function distinction({ list }: Tabs, tab: Tab): string {
  if (isRowPage(tab.path)) return rowOf(tab) ?? '';
  const same = list.filter(({ path }) => path === tab.path);
  if (same.length < 2) return '';
  const params = [...new URLSearchParams(tab.search)].filter(
    ([name]) => !/^(currentPage|pageSize)$/.test(name),
  );
  const said = params.map(([, value]) => value).slice(0, 2);
  const text = said.join(' ').slice(0, 16);
  return text || String(same.indexOf(tab) + 1);
}
