import type { Happening } from '#contract/happenings.ts';
import type { LiveNews } from '../call/live.ts';
import type { ListState } from './address.ts';

type Filters = ListState['filters'];

/** What is not among the rows, with when it was told: what was told before the rows were asked for is among them. */
export interface Told {
  readonly ids: Map<number, number>;
  /** That there is more than is known. */
  unknown: number | undefined;
  /** That the rows are to be read again. */
  due: number | undefined;
  /** That telling began. */
  begun: number | undefined;
}

export const nothingTold = (): Told => ({
  ids: new Map(),
  unknown: undefined,
  due: undefined,
  begun: undefined,
});

/** What a list shows, to which it is told what came. */
export interface Shown {
  readonly filters: Filters;
  /** Whether the search is for what waits, which leaves the list once it waits no more. */
  readonly pending: boolean;
  readonly ids: ReadonlySet<unknown>;
}

/** Whether a row may be one of those searched for, by what is told of it. */
function mayMatch({ userId, gameId, status, what }: Happening, { filters, pending }: Shown): boolean {
  const isSame = (name: string, value: number | string | null) =>
    filters[name] === undefined || value === null || filters[name] === String(value);
  const now = pending && what === 'CHANGED' ? null : status;
  return isSame('userId', userId) && isSame('gameId', gameId) && isSame('status', now);
}

/** What is told of a row; whether it is searched for by anything else, only the list knows. */
const TOLD: ReadonlySet<string> = new Set(['userId', 'gameId', 'status']);

/** Takes in what came, at this moment. */
export function takeIn(told: Told, news: LiveNews, shown: Shown, now: number): void {
  const { complete, begun, happenings } = news;
  const { filters, pending, ids } = shown;
  const own = happenings.filter((one) => mayMatch(one, shown));
  const added = own.filter(({ id, what }) => what === 'ADDED' && !ids.has(id));
  if (Object.keys(filters).every((name) => TOLD.has(name))) for (const { id } of added) told.ids.set(id, now);
  else if (added.length > 0) told.begun = now;
  if (pending && (!complete || begun || own.length > 0)) told.due = now;
  if (!complete) told.unknown = now;
  if (begun && !pending) told.begun = now;
}

const since = (at: number | undefined, asked: number) => (at !== undefined && at >= asked ? at : undefined);

/** Forgets what was told before the rows were asked for, or stands among them. */
export function forget(told: Told, asked: number, shown: ReadonlySet<unknown>): void {
  for (const [id, at] of told.ids) if (at < asked || shown.has(id)) told.ids.delete(id);
  told.unknown = since(told.unknown, asked);
  told.due = since(told.due, asked);
  told.begun = since(told.begun, asked);
}
