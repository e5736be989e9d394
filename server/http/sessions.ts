import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLiveSession } from '#server/access/access-store.ts';
import { findLiveTokens } from '#server/access/live-tokens.ts';
import { createRoleRights } from '#server/access/role-rights.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { TRUSTED_MS, watchStanding } from '#server/access/standing.ts';
import { rememberTokens } from '#server/access/token-memory.ts';
import type { Db } from '#server/db/database.ts';
import { gathered } from '#server/db/gathered.ts';

/** A timer may fire a moment early. */
const SURELY_MS = 10;

/** Remembers live tokens so that a request costs no query of its own, and forgets those that a change of access touches. */
export interface Sessions {
  /** The signed-in operator behind a bearer token. */
  find(token: string): Promise<SignedIn | undefined>;
  /**
   * What tells whether a session still lives and its operator may do what they began, for work that outlasts its request; a query only
   * after access has changed.
   */
  watch(sessionId: string, may: (operator: SignedIn) => boolean): () => Promise<boolean>;
  /** Whether calls that need a second operator wait for one; no query of its own. */
  approvalsEnforced(): Promise<boolean>;
  /** Makes the next request look at the epoch again: called after a change of access on this server. */
  doubt(): void;
  /** Ends when no server trusts any longer what it looked at before. */
  heardEverywhere(): Promise<void>;
}

/** Knows who is signed in, from memory while nothing has changed. */
export function createSessions(db: Db, now: () => Date): Sessions {
  const remembered = rememberTokens();
  const rights = createRoleRights(db);
  const standing = watchStanding(db, (touched) => {
    remembered.forget(touched);
    rights.forget(touched === 'everyone' ? 'all' : touched.flatMap((one) => one.roleIds));
  });
  const wanted = new Set<string>();
  const findWanted = gathered(() => {
    const keys = [...wanted];
    wanted.clear();
    return findLiveTokens(db, keys, rights);
  });

  return {
    async find(token) {
      await standing.fresh();
      const key = hash('sha256', token, 'base64');
      const known = remembered.get(key);
      const moment = now();
      if (known && known.expiresAt <= moment) return undefined;
      if (known && known.staleAt > moment) return known.operator;
      const before = remembered.forgotten();
      wanted.add(key);
      const live = (await findWanted()).get(key);
      if (!live) return undefined;
      // What was read while something was forgotten may be older than that: it is good for this request only.
      if (before === remembered.forgotten()) remembered.keep(key, live);
      return live.operator;
    },
    watch: (sessionId, may) => {
      let known = standing.known().epoch;
      return async () => {
        const { epoch } = await standing.fresh();
        if (known === epoch) return true;
        const operator = await findLiveSession(db, sessionId);
        if (!operator || !may(operator)) return false;
        known = epoch;
        return true;
      };
    },
    approvalsEnforced: async () => (await standing.fresh()).approvals,
    doubt: standing.doubt,
    heardEverywhere: () => sleep(TRUSTED_MS + SURELY_MS),
  };
}
