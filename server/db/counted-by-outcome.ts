import { sql } from 'kysely';
import type { CountedList } from './counted-list.ts';
import { literally } from './where.ts';

/** A list of what happened, which is counted by how it ended and read in the order of its ids. */
export const byOutcome = (table: string): CountedList => ({
  table,
  byIds: true,
  ofKeys: (keys) => (keys?.[0] === undefined ? sql`true` : literally(keys[0], 'outcome')),
});

/** The key of such a list; nothing when any end is meant. */
export const keysOfOutcome = (outcome: string | undefined): string[] | undefined =>
  outcome === undefined ? undefined : [outcome];
