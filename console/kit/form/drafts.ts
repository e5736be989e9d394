import { use, useEffect, useSyncExternalStore } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { newIdempotencyKey } from '../call/idempotency-key.ts';
import { dropCache, readCache, readWindowCache, writeCache, writeWindowCache } from '../call/local-cache.ts';
import { type SendingPlace, sentText } from '../call/sending-place.ts';
import { isLeaving, readOperatorName } from '../call/session.ts';
import { TabContext } from '../overlay/tab.ts';
import type { Values } from './conflict.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Which form is meant: the same button of the same row in the same tab. */
export interface FormPlace {
  readonly tab: string;
  /** The call and the word of its button. */
  readonly form: string;
  readonly row: string;
  /** The menu the button stands in. */
  readonly menu: string | null;
}

/** What is entered in a form and not sent yet, with what the form was opened with. */
interface Draft extends FormPlace {
  readonly values: Values;
  readonly opened: Values;
  /** What it was sent with, without secrets, and under which key, where no answer has come. */
  readonly sent?: { readonly input: string; readonly key: string } | undefined;
  readonly at: number;
  /** Until when the window it was entered in is taken to be open. */
  readonly openUntil: number;
}

type Drafts = Readonly<Record<string, Draft>>;

const MOST = 30;
const DAYS_MS = 7 * 86_400_000;
const WRITE_AFTER_MS = 300;
/** A window that is closed says so; of one that ended otherwise nothing is heard for so long. Hidden ones are woken once a minute. */
const OPEN_MS = 150_000;
const TELL_MS = 30_000;

const WINDOW = 'window';
/** Which window this is. It stays so through a reload, but what the browser copies of a window that is open is another one. */
const here = readWindowCache<string>(WINDOW) ?? newIdempotencyKey();
writeWindowCache(WINDOW, null);
const isHere = (place: string): boolean => place.startsWith(here);

const cacheKeyOf = (operator: string): string => `drafts:${operator}`;
const keyOf = ({ tab, form, row }: FormPlace): string => [tab, form, row].join('|');

const byAge = (drafts: Drafts): [string, Draft][] =>
  Object.entries(drafts).sort(([, one], [, other]) => other.at - one.at);

/** What all windows keep, each draft under its window and its form. */
const inStore = (operator: string): Drafts => readCache<Drafts>(cacheKeyOf(operator)) ?? {};

/** Where the drafts are stored that were found as the page was loaded, by their form. */
let places = new Map<string, string>();

/** What this window had before it was loaded anew, and what no other has that is open. Of two drafts of one form the newer counts. */
function stored(operator: string): Drafts {
  const now = Date.now();
  const isOpen = ({ openUntil }: Draft) => openUntil > now && openUntil < now + 2 * OPEN_MS;
  const free = byAge(inStore(operator))
    .filter(([place, draft]) => now - draft.at < DAYS_MS && (isHere(place) || !isOpen(draft)))
    .toReversed()
    .toSorted(([one], [other]) => Number(isHere(one)) - Number(isHere(other)));
  places = new Map(free.map(([place, draft]) => [keyOf(draft), place]));
  return Object.fromEntries(free.map(([, draft]) => [keyOf(draft), draft]));
}

/** The forms that this window had something in before it was loaded anew. */
const ownBefore = (): string[] => [...places].flatMap(([key, place]) => (isHere(place) ? [key] : []));

/** The newest draft of each tab as the page was loaded: its form is to be opened again once its button is there. */
const newestOf = (drafts: Drafts): ReadonlyMap<string, string> =>
  new Map(
    byAge(drafts)
      .toReversed()
      .map(([key, { tab }]) => [tab, key]),
  );

let owner = readOperatorName();
let drafts = stored(owner);
/** The forms that something was entered in, sent or given up in this window: these are its own to store. */
const changed = new Set(ownBefore());
let waiting = new Map(newestOf(drafts));
/** The tabs of what waits to be sent and can be kept nowhere, each as often as it holds such. */
const held: string[] = [];
const tabsNow = (): ReadonlySet<string> => new Set([...Object.values(drafts).map(({ tab }) => tab), ...held]);
let unsaved = tabsNow();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Whoever signs in without the page being loaded anew finds what is theirs. */
function own(): Drafts {
  const name = readOperatorName();
  if (name === owner) return drafts;
  owner = name;
  drafts = stored(name);
  changed.clear();
  for (const key of ownBefore()) changed.add(key);
  waiting = new Map(newestOf(drafts));
  unsaved = tabsNow();
  return drafts;
}

/** Puts what this window has in the store, and leaves alone what others have there. */
function write(isOpen = true): void {
  clearTimeout(timer);
  timer = undefined;
  const openUntil = isOpen ? Date.now() + OPEN_MS : 0;
  const taken = new Set([...changed].map((key) => places.get(key)));
  const others = Object.entries(inStore(owner)).filter(([place]) => !isHere(place) && !taken.has(place));
  const own = Object.entries(drafts).filter(([key]) => changed.has(key));
  const mine = own.map(([key, draft]): [string, Draft] => [`${here}|${key}`, { ...draft, openUntil }]);
  const kept = byAge(Object.fromEntries([...others, ...mine])).slice(0, MOST);
  writeCache(cacheKeyOf(owner), Object.fromEntries(kept));
}

function forget(): void {
  clearTimeout(timer);
  timer = undefined;
  drafts = {};
  changed.clear();
  tell();
}

const hasOwn = (): boolean =>
  readOperatorName() === owner && Object.keys(drafts).some((key) => changed.has(key));

if (typeof window !== 'undefined') {
  if (hasOwn()) write();
  window.addEventListener('pagehide', () => {
    writeWindowCache(WINDOW, here);
    if (timer !== undefined || hasOwn()) write(false);
  });
  setInterval(() => hasOwn() && write(), TELL_MS);
  // Somebody signed out in another window.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === cacheKeyOf(owner) && newValue === null) forget();
  });
}

function tell(): void {
  const tabs = tabsNow();
  if (tabs.symmetricDifference(unsaved).size === 0) return;
  unsaved = tabs;
  for (const listener of listeners) listener();
}

function change(next: Drafts): void {
  for (const key of new Set([...Object.keys(drafts), ...Object.keys(next)]))
    if (drafts[key] !== next[key]) changed.add(key);
  drafts = next;
  timer ??= setTimeout(() => write(), WRITE_AFTER_MS);
  tell();
}

/** What was entered in this form before and never sent. */
export const readDraft = (place: FormPlace): Draft | undefined => own()[keyOf(place)];

/** A draft as this window has it; until when that is open is said as it is stored. */
const draftOf = (place: FormPlace, held: Pick<Draft, 'values' | 'opened' | 'sent'>): Draft => ({
  ...{ ...place, ...held, at: Date.now(), openUntil: 0 },
});

/** Keeps what is entered through a reload, a closed window and a session that ran out; without secrets. */
export function keepDraft(place: FormPlace, { values, opened }: Pick<Draft, 'values' | 'opened'>): void {
  const { sent } = readDraft(place) ?? {};
  change({ ...own(), [keyOf(place)]: draftOf(place, { values, opened, sent }) });
}

/**
 * Keeps the key of what a form sends until an answer has come: restored after a reload, the same goes out under the same key. Also a form
 * that nobody typed in is kept then.
 */
export function sendingFrom(endpoint: AnyEndpoint, place: FormPlace): SendingPlace {
  const textOf = (input: object) => sentText(withoutSecrets(endpoint, input));
  const keepSent = (draft: Pick<Draft, 'values' | 'opened'>, sent: Draft['sent']) =>
    change({ ...own(), [keyOf(place)]: draftOf(place, { ...draft, sent }) });
  return {
    path: endpoint.path,
    keyOf: (input) => {
      const { sent } = readDraft(place) ?? {};
      return sent?.input === textOf(input) ? sent.key : undefined;
    },
    keep: (input, key) => {
      const text = textOf(input);
      keepSent(readDraft(place) ?? { values: JSON.parse(text) as Values, opened: {} }, { input: text, key });
      write();
    },
    forget: () => {
      const draft = readDraft(place);
      if (draft) keepSent(draft, undefined);
    },
  };
}

function without(drop: (draft: Draft) => boolean): void {
  const kept = Object.entries(own()).filter(([, draft]) => !drop(draft));
  if (kept.length < Object.keys(drafts).length) change(Object.fromEntries(kept));
}

export const dropDraft = (place: FormPlace): void => without((draft) => keyOf(draft) === keyOf(place));

/** What was entered in a tab goes with it. */
export const dropDraftsOf = (tab: string): void => without((draft) => draft.tab === tab);

/** Nothing stays behind on a computer that somebody signs out of, in whatever window it was entered. */
export function dropAllDrafts(): void {
  own();
  forget();
  dropCache(cacheKeyOf(owner));
}

/** True once for the form that was open in a tab when the page was left. */
export function claimReopening(place: FormPlace): boolean {
  own();
  return waiting.size > 0 && waiting.get(place.tab) === keyOf(place) && waiting.delete(place.tab);
}

/** Whether the form that was open in a tab is found in this menu of this row. */
export function reopensIn({ tab, menu, row }: Omit<FormPlace, 'form'>): boolean {
  const key = waiting.size > 0 ? waiting.get(tab) : undefined;
  const draft = key === undefined ? undefined : own()[key];
  return draft !== undefined && draft.menu === menu && draft.row === row;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const unsavedTabs = (): ReadonlySet<string> => {
  own();
  return unsaved;
};

/** The tabs in which something is entered and not sent. */
export const useUnsavedTabs = (): ReadonlySet<string> => useSyncExternalStore(subscribe, unsavedTabs);

/** What the console leaves for, such as the login page, has been asked about or cannot wait. */
const askFirst = (event: BeforeUnloadEvent): void => {
  if (!isLeaving()) event.preventDefault();
};

/**
 * For what waits to be sent and can be kept nowhere, such as a chosen file: while it `holds`, its tab is marked like one with a draft, and
 * the browser asks before the page is left.
 */
export function useHeld(holds: boolean): void {
  const tab = use(TabContext);
  useEffect(() => {
    if (!holds) return;
    held.push(tab);
    tell();
    window.addEventListener('beforeunload', askFirst);
    return () => {
      window.removeEventListener('beforeunload', askFirst);
      held.splice(held.indexOf(tab), 1);
      tell();
    };
  }, [holds, tab]);
}
