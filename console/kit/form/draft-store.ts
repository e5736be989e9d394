import { newIdempotencyKey } from '../call/idempotency-key.ts';
import {
  cacheKeys,
  dropCache,
  readCache,
  readWindowCache,
  writeCache,
  writeWindowCache,
} from '../call/local-cache.ts';
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
export interface Draft extends FormPlace {
  readonly values: Values;
  readonly opened: Values;
  /** What it was sent with, without secrets, and under which key, where no answer has come. */
  readonly sent?: { readonly input: string; readonly key: string } | undefined;
  readonly at: number;
  /** Until when the window it was entered in is taken to be open. */
  readonly openUntil: number;
}

export type Drafts = Readonly<Record<string, Draft>>;

const MOST = 30;
const DAYS_MS = 7 * 86_400_000;
/** A window that is closed says so; of one that ended otherwise nothing is heard for so long. Hidden ones are woken once a minute. */
const OPEN_MS = 150_000;

const WINDOW = 'window';
/** Which window this is. It stays so through a reload, but what the browser copies of a window that is open is another one. */
const here = readWindowCache<string>(WINDOW) ?? newIdempotencyKey();
writeWindowCache(WINDOW, null);

/** What says, as it goes, that nothing of an operator is to stay. Versions before kept the drafts of all windows in it. */
export const cacheKeyOf = (operator: string): string => `drafts:${operator}`;
export const keyOf = ({ tab, form, row }: FormPlace): string => [tab, form, row].join('|');

// Each window writes in a place of its own: what one reads of the others may be older than what they have written since, and would put it back.
const prefixOf = (operator: string): string => `${cacheKeyOf(operator)}|`;
const placeOf = (operator: string, window: string): string => prefixOf(operator) + window;
const draftsIn = (place: string): Drafts => readCache<Drafts>(place) ?? {};

function keepIn(place: string, drafts: Drafts): void {
  if (Object.keys(drafts).length > 0) writeCache(place, drafts);
  else dropCache(place);
}

interface Found {
  readonly window: string;
  readonly key: string;
  readonly draft: Draft;
}

const byAge = <F extends Pick<Found, 'draft'>>(found: readonly F[]): F[] =>
  found.toSorted((one, other) => other.draft.at - one.draft.at);

/** What all windows keep, the newest first. */
function inStore(operator: string): Found[] {
  const prefix = prefixOf(operator);
  const found = cacheKeys(prefix).flatMap((place) =>
    Object.entries(draftsIn(place)).map(([key, draft]) => ({
      window: place.slice(prefix.length),
      key,
      draft,
    })),
  );
  return byAge(found);
}

/** Whether a draft is this window's, or of none that is open. */
const isFree = (window: string, { openUntil }: Draft, now: number): boolean =>
  window === here || openUntil <= now || openUntil >= now + 2 * OPEN_MS;

/**
 * Gives this window and those that are closed what a version before kept of all together. One that is open may still be of that version, and
 * writes there until it is loaded anew.
 */
function splitFormer(operator: string, now: number): void {
  const open: [string, Draft][] = [];
  for (const [where, draft] of Object.entries(draftsIn(cacheKeyOf(operator)))) {
    const [window = ''] = where.split('|');
    const place = placeOf(operator, window);
    if (isFree(window, draft, now)) writeCache(place, { ...draftsIn(place), [keyOf(draft)]: draft });
    else open.push([where, draft]);
  }
  // It does not go: that would say that nothing is to stay.
  if (readCache(cacheKeyOf(operator)) !== null) writeCache(cacheKeyOf(operator), Object.fromEntries(open));
}

function drop(operator: string, { window, key }: Pick<Found, 'window' | 'key'>): void {
  const place = placeOf(operator, window);
  const { [key]: _, ...kept } = draftsIn(place);
  keepIn(place, kept);
}

/** The window that has each of the drafts that were found as the page was loaded, by their form. */
let places = new Map<string, string>();

/** What this window had before it was loaded anew, and what no other has that is open. Of two drafts of one form the newer counts. */
export function stored(operator: string): Drafts {
  const now = Date.now();
  splitFormer(operator, now);
  const free = inStore(operator).filter(({ window, draft }) => isFree(window, draft, now));
  const isLate = ({ draft }: Found, place: number) => now - draft.at >= DAYS_MS || place >= MOST;
  for (const late of free.filter(isLate)) drop(operator, late);
  const found = free
    .filter((each, place) => !isLate(each, place))
    .toReversed()
    .toSorted((one, other) => Number(one.window === here) - Number(other.window === here));
  places = new Map(found.map(({ key, window }) => [key, window]));
  return Object.fromEntries(found.map(({ key, draft }) => [key, draft]));
}

/** The forms that this window had something in before it was loaded anew. */
export const ownBefore = (): string[] =>
  [...places].flatMap(([key, window]) => (window === here ? [key] : []));

/** The newest draft of each tab as the page was loaded: its form is to be opened again once its button is there. */
export const newestOf = (drafts: Drafts): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(drafts)
      .toSorted(([, one], [, other]) => one.at - other.at)
      .map(([key, { tab }]) => [tab, key]),
  );

/** Puts what this window has `changed` in the store, and takes what it was found in out of there. */
export function store(operator: string, drafts: Drafts, changed: ReadonlySet<string>, isOpen: boolean): void {
  for (const key of changed) {
    const window = places.get(key);
    if (window === undefined || window === here) continue;
    drop(operator, { window, key });
    places.set(key, here);
  }
  const openUntil = isOpen ? Date.now() + OPEN_MS : 0;
  const mine = Object.entries(drafts)
    .filter(([key]) => changed.has(key))
    .map(([key, draft]) => ({ key, draft: { ...draft, openUntil } }));
  const kept = byAge(mine).slice(0, MOST);
  keepIn(placeOf(operator, here), Object.fromEntries(kept.map(({ key, draft }) => [key, draft])));
}

/** Lets go of what this window keeps. */
export const dropOwn = (operator: string): void => dropCache(placeOf(operator, here));

/** Lets go of what all windows keep, and tells them. */
export function dropAll(operator: string): void {
  // What was not there cannot be heard to go.
  writeCache(cacheKeyOf(operator), {});
  dropCache(...cacheKeys(prefixOf(operator)), cacheKeyOf(operator));
}

/** A window that is loaded anew is the same one. */
export const keepWindow = (): void => writeWindowCache(WINDOW, here);
