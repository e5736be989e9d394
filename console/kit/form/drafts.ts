import { use, useEffect, useSyncExternalStore } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type SendingPlace, sentText } from '../call/sending-place.ts';
import { isLeaving, readOperatorName } from '../call/session.ts';
import { TabContext } from '../overlay/tab.ts';
import type { Values } from './conflict.ts';
import {
  cacheKeyOf,
  type Draft,
  type Drafts,
  dropAll,
  dropOwn,
  type FormPlace,
  keepWindow,
  keyOf,
  newestOf,
  ownBefore,
  store,
  stored,
} from './draft-store.ts';
import { withoutSecrets } from './without-secrets.ts';

const WRITE_AFTER_MS = 300;
/** How often a window says that it is still open. */
const TELL_MS = 30_000;

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

function write(isOpen = true): void {
  clearTimeout(timer);
  timer = undefined;
  store(owner, drafts, changed, isOpen);
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
    keepWindow();
    if (timer !== undefined || hasOwn()) write(false);
  });
  setInterval(() => hasOwn() && write(), TELL_MS);
  // Somebody signed out in another window.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== cacheKeyOf(owner) || newValue !== null) return;
    forget();
    dropOwn(owner);
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
  dropAll(owner);
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
