import { use, useEffect, useSyncExternalStore } from 'react';
import type { z } from 'zod';
import { metaOf } from '#contract/fields.ts';
import { elementOf, shapeOf } from '#contract/row-schema.ts';
import { dropCache, readCache, writeCache } from '../call/local-cache.ts';
import { isLeaving, readOperatorName } from '../call/session.ts';
import { TabContext } from '../overlay/tab.ts';
import type { Values } from './conflict.ts';

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
  readonly at: number;
}

type Drafts = Readonly<Record<string, Draft>>;

const MOST = 30;
const DAYS_MS = 7 * 86_400_000;
const WRITE_AFTER_MS = 300;

const storeOf = (operator: string): string => `drafts:${operator}`;
const keyOf = ({ tab, form, row }: FormPlace): string => [tab, form, row].join('|');

/** Secrets are never put into storage, wherever in the form they stand. */
export function withoutSecrets(schema: z.ZodType, value: unknown): unknown {
  const element = elementOf(schema);
  if (element && Array.isArray(value)) return value.map((each) => withoutSecrets(element, each));
  const shape = shapeOf(schema);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([name]) => {
    const field = shape[name];
    return field === undefined || metaOf(field).kind !== 'secret';
  });
  return Object.fromEntries(
    kept.map(([name, part]) => {
      const field = shape[name];
      return [name, field ? withoutSecrets(field, part) : part];
    }),
  );
}

const isFresh = ({ at }: Draft): boolean => Date.now() - at < DAYS_MS;

const byAge = (drafts: Drafts): [string, Draft][] =>
  Object.entries(drafts).sort(([, one], [, other]) => other.at - one.at);

function stored(operator: string): Drafts {
  const known = readCache<Drafts>(storeOf(operator)) ?? {};
  return Object.fromEntries(byAge(known).filter(([, draft]) => isFresh(draft)));
}

/** The newest draft of each tab as the page was loaded: its form is to be opened again once its button is there. */
const newestOf = (drafts: Drafts): ReadonlyMap<string, string> =>
  new Map(
    byAge(drafts)
      .toReversed()
      .map(([key, { tab }]) => [tab, key]),
  );

let owner = readOperatorName();
let drafts = stored(owner);
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
  waiting = new Map(newestOf(drafts));
  unsaved = tabsNow();
  return drafts;
}

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  const kept = byAge(drafts).slice(0, MOST);
  if (kept.length === 0) dropCache(storeOf(owner));
  else writeCache(storeOf(owner), Object.fromEntries(kept));
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', () => timer !== undefined && write());

function tell(): void {
  const tabs = tabsNow();
  if (tabs.symmetricDifference(unsaved).size === 0) return;
  unsaved = tabs;
  for (const listener of listeners) listener();
}

function change(next: Drafts): void {
  drafts = next;
  timer ??= setTimeout(write, WRITE_AFTER_MS);
  tell();
}

/** What was entered in this form before and never sent. */
export const readDraft = (place: FormPlace): Draft | undefined => own()[keyOf(place)];

/** Keeps what is entered through a reload, a closed window and a session that ran out; without secrets. */
export function keepDraft(place: FormPlace, { values, opened }: Pick<Draft, 'values' | 'opened'>): void {
  change({ ...own(), [keyOf(place)]: { ...place, values, opened, at: Date.now() } });
}

function without(drop: (draft: Draft) => boolean): void {
  const kept = Object.entries(own()).filter(([, draft]) => !drop(draft));
  if (kept.length < Object.keys(drafts).length) change(Object.fromEntries(kept));
}

export const dropDraft = (place: FormPlace): void => without((draft) => keyOf(draft) === keyOf(place));

/** What was entered in a tab goes with it. */
export const dropDraftsOf = (tab: string): void => without((draft) => draft.tab === tab);

/** Nothing stays behind on a computer that somebody signs out of. */
export function dropAllDrafts(): void {
  without(() => true);
  write();
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
