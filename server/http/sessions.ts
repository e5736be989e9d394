import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findLiveSession,
  findLiveTokens,
  type LiveToken,
  readStanding,
} from '#server/access/access-store.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { gathered } from '#server/db/gathered.ts';

// A revocation must hold everywhere within a second: what is remembered is trusted for half of that.
const TRUSTED_MS = 500;
/** A timer may fire a moment early. */
const SURELY_MS = 10;
const REMEMBERED_TOKENS = 10_000;

/** Remembers live tokens so that a request costs no query of its own, and forgets them when the access epoch moves. */
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

/** Reads the epoch at most once per half second, all requests sharing the look. */
export function createSessions(db: Db, now: () => Date): Sessions {
  const remembered = new Map<string, LiveToken>();
  let epoch = -1;
  let approvals = true;
  let readAt = Number.NEGATIVE_INFINITY;
  let doubts = 0;
  let reading: Promise<void> | undefined;

  const readAgain = async (): Promise<void> => {
    const asked = performance.now();
    const before = doubts;
    const current = await readStanding(db);
    if (current.epoch !== epoch) remembered.clear();
    ({ epoch, approvals } = current);
    // A change made while the read was under way may have been missed by it.
    if (before === doubts) readAt = asked;
  };

  const ensureFresh = async (): Promise<void> => {
    while (performance.now() - readAt > TRUSTED_MS) {
      reading ??= readAgain().finally(() => {
        reading = undefined;
      });
      await reading;
    }
  };

  const wanted = new Set<string>();
  const findWanted = gathered(() => {
    const keys = [...wanted];
    wanted.clear();
    return findLiveTokens(db, keys);
  });

  return {
    async find(token) {
      await ensureFresh();
      const key = hash('sha256', token, 'base64');
      const known = remembered.get(key);
      const moment = now();
      if (known && known.epoch === epoch && known.expiresAt <= moment) return undefined;
      if (known && known.epoch === epoch && known.staleAt > moment) return known.operator;
      wanted.add(key);
      const live = (await findWanted()).get(key);
      if (!live) return undefined;
      if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
      remembered.set(key, live);
      return live.operator;
    },
    watch(sessionId, may) {
      let known = epoch;
      return async () => {
        await ensureFresh();
        const current = epoch;
        if (known === current) return true;
        const operator = await findLiveSession(db, sessionId);
        if (!operator || !may(operator)) return false;
        known = current;
        return true;
      };
    },
    async approvalsEnforced() {
      await ensureFresh();
      return approvals;
    },
    doubt() {
      doubts++;
      readAt = Number.NEGATIVE_INFINITY;
    },
    heardEverywhere: () => sleep(TRUSTED_MS + SURELY_MS),
  };
}
