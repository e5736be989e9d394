import { newIdempotencyKey } from '../call/idempotency-key.ts';
import { readCache, readWindowCache, writeCache, writeWindowCache } from '../call/local-cache.ts';
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
const isHere = (place: string): boolean => place.startsWith(here);

export const cacheKeyOf = (operator: string): string => `drafts:${operator}`;
export const keyOf = ({ tab, form, row }: FormPlace): string => [tab, form, row].join('|');

const byAge = (drafts: Drafts): [string, Draft][] =>
  Object.entries(drafts).sort(([, one], [, other]) => other.at - one.at);

/** What all windows keep, each draft under its window and its form. */
const inStore = (operator: string): Drafts => readCache<Drafts>(cacheKeyOf(operator)) ?? {};

/** Where the drafts are stored that were found as the page was loaded, by their form. */
let places = new Map<string, string>();

/** What this window had before it was loaded anew, and what no other has that is open. Of two drafts of one form the newer counts. */
export function stored(operator: string): Drafts {
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
export const ownBefore = (): string[] => [...places].flatMap(([key, place]) => (isHere(place) ? [key] : []));

/** The newest draft of each tab as the page was loaded: its form is to be opened again once its button is there. */
export const newestOf = (drafts: Drafts): ReadonlyMap<string, string> =>
  new Map(
    byAge(drafts)
      .toReversed()
      .map(([key, { tab }]) => [tab, key]),
  );

/** Puts what this window has `changed` in the store, and leaves alone what others have there. */
export function store(operator: string, drafts: Drafts, changed: ReadonlySet<string>, isOpen: boolean): void {
  const openUntil = isOpen ? Date.now() + OPEN_MS : 0;
  const taken = new Set([...changed].map((key) => places.get(key)));
  const others = Object.entries(inStore(operator)).filter(([place]) => !isHere(place) && !taken.has(place));
  const own = Object.entries(drafts).filter(([key]) => changed.has(key));
  const mine = own.map(([key, draft]): [string, Draft] => [`${here}|${key}`, { ...draft, openUntil }]);
  const kept = byAge(Object.fromEntries([...others, ...mine])).slice(0, MOST);
  writeCache(cacheKeyOf(operator), Object.fromEntries(kept));
}

/** A window that is loaded anew is the same one. */
export const keepWindow = (): void => writeWindowCache(WINDOW, here);
