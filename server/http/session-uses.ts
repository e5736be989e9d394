import { keepUses, type SessionUse } from '#server/access/session-use-store.ts';
import type { Db } from '#server/db/database.ts';

const EVERY_MS = 3_000;

/** Notes which sessions are used, without a query for each request. */
export interface SessionUses {
  note(use: SessionUse): void;
  /** Writes what is not written yet. */
  end(): Promise<void>;
}

/** Writes the uses of some seconds in one statement. One that cannot be written is lost: the next use makes up for it. */
export function createSessionUses(db: Db): SessionUses {
  let noted = new Map<string, SessionUse>();
  let timer: NodeJS.Timeout | undefined;
  const write = async (): Promise<void> => {
    timer = undefined;
    const uses = [...noted.values()];
    noted = new Map();
    if (uses.length > 0) await keepUses(db, uses).catch(() => undefined);
  };
  return {
    note(use) {
      noted.set(use.sessionId, use);
      timer ??= setTimeout(() => void write(), EVERY_MS).unref();
    },
    end() {
      clearTimeout(timer);
      return write();
    },
  };
}
