import {
  type Happening,
  type LiveNoun,
  liveNouns,
  MOST_HAPPENINGS,
  REMEMBERED_MS,
} from '#contract/happenings.ts';
import type { Db } from '#server/db/database.ts';
import { type Cursor, isUnseen, readCursor } from './cursor.ts';
import { MOST_REMEMBERED, readSince, type Stored } from './happening-store.ts';

interface Remembered {
  readonly xid: bigint;
  readonly at: number;
  readonly happening: Happening;
}

/** What is new after a cursor; not `complete` where some of it is not known any more. */
export interface Since {
  readonly complete: boolean;
  readonly happenings: readonly Happening[];
}

/** What happened lately, read from the database by one statement however many want to know. */
export interface NewsMemory {
  /** Reads on; gives what is new by it. */
  read(): Promise<readonly Happening[]>;
  /** How far it has read; nothing before the first time. */
  cursor(): Cursor | undefined;
  /** What is new after a cursor that somebody brings. */
  since(cursor: Cursor): Since;
}

const isLive = (noun: string): noun is LiveNoun => liveNouns.some((known) => known === noun);

/** A row that changed three times is told once, as new where it is new. */
function told(happenings: readonly Happening[]): readonly Happening[] {
  const byRow = new Map<string, Happening>();
  for (const happening of happenings) {
    const key = `${happening.noun} ${happening.id}`;
    const what = byRow.get(key)?.what === 'ADDED' ? 'ADDED' : happening.what;
    byRow.set(key, { ...happening, what });
  }
  return [...byRow.values()];
}

/** Remembers ten minutes, or the newest twenty thousand. */
export function createMemory(db: Db): NewsMemory {
  const recent: Remembered[] = [];
  let last: Cursor | undefined;
  /** Nothing of this transaction or an earlier one need be known any more. */
  let forgotten = -1n;

  const forget = (at: number): void => {
    const enough = recent.length - MOST_REMEMBERED;
    const kept = recent.findIndex((one, place) => place >= enough && one.at > at - REMEMBERED_MS / 1_000);
    const gone = recent.splice(0, kept === -1 ? recent.length : kept);
    for (const { xid } of gone) if (xid > forgotten) forgotten = xid;
  };
  const remembered = ({ xid, ...happening }: Stored, at: number): Remembered[] =>
    isLive(happening.noun) ? [{ xid: BigInt(xid), at, happening }] : [];

  return {
    cursor: () => last,
    async read() {
      const { at, snapshot, news } = await readSince(db, last);
      const fresh = news.flatMap((stored) => remembered(stored, at));
      const isFirst = last === undefined;
      if (news.length === MOST_REMEMBERED) forgotten = BigInt(news[0]?.xid ?? forgotten);
      recent.push(...fresh);
      last = readCursor(`${at}-${snapshot}`);
      forget(at);
      return isFirst ? [] : told(fresh.map(({ happening }) => happening));
    },
    since(cursor) {
      const known = last !== undefined && cursor.xmax <= last.xmax && cursor.xmin > forgotten;
      const lately = last !== undefined && cursor.at > last.at - REMEMBERED_MS / 1_000;
      const unseen = recent.filter(({ xid }) => isUnseen(cursor, xid));
      const complete = known && lately && unseen.length <= MOST_HAPPENINGS;
      return { complete, happenings: complete ? told(unseen.map(({ happening }) => happening)) : [] };
    },
  };
}
