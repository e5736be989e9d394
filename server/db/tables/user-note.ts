// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface UserNoteTable {
  id: GeneratedAlways<number>;
  userId: number;
  note: string;
  pinned: Defaulted<boolean>;
  authorId: number | null;
  author: string;
  createTime: Defaulted<Moment>;
  editTime: Moment | null;
  version: Defaulted<number>;
}
