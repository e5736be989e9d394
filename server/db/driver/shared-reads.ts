import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { isConnectionLoss } from './outage.ts';

/** So many are sent behind one, which keeps a session of the database at work while its answers travel. */
const MOST_BEHIND = 2;
/** None is sent behind one that takes longer than lists do. */
const FRESH_MS = 20;
/** Whoever has waited so long for those ahead asks again, with a connection of its own. */
const PATIENCE_MS = 250;

/** A read with a connection of its own, which others may be sent behind. */
interface Ahead {
  readonly connection: Connection;
  readonly since: number;
  behind: number;
}

/** Asks what changes nothing, and sends it at once. */
type Ask<T> = (connection: Connection) => Promise<T>;

/** What is answered in time over the connection of another; nothing where that takes long, or is lost. */
async function answeredBehind<T>(ahead: Ahead, ask: Ask<T>): Promise<{ readonly value: T } | undefined> {
  ahead.behind++;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  const answered = ask(ahead.connection).then(
    (value) => ({ value }),
    (error: unknown) => {
      if (isConnectionLoss(error)) return undefined;
      throw error;
    },
  );
  try {
    return await Promise.race([answered, patience]);
  } finally {
    clearTimeout(timer);
    ahead.behind--;
  }
}

/**
 * Reads that share a pool's connections: while all are in use, one is sent behind another that was sent a moment ago, in place of standing in
 * line until that is answered. Whoever meets a slow one that way is held up by a quarter of a second.
 */
export class SharedReads {
  readonly #pool: ConnectionPool;
  readonly #aheads = new Set<Ahead>();

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  async read<T>(ask: Ask<T>): Promise<T> {
    const ahead = this.#pool.isFull ? this.#toFollow() : undefined;
    const answer = ahead && (await answeredBehind(ahead, ask));
    return answer ? answer.value : this.#alone(ask);
  }

  async #alone<T>(ask: Ask<T>): Promise<T> {
    const connection = await this.#pool.acquire();
    const ahead: Ahead = { connection, since: performance.now(), behind: 0 };
    this.#aheads.add(ahead);
    try {
      return await ask(connection);
    } finally {
      this.#aheads.delete(ahead);
      this.#pool.release(connection);
    }
  }

  /** The one that the fewest were sent behind. */
  #toFollow(): Ahead | undefined {
    const freshSince = performance.now() - FRESH_MS;
    let found: Ahead | undefined;
    for (const ahead of this.#aheads)
      if (ahead.since > freshSince && ahead.behind < (found?.behind ?? MOST_BEHIND)) found = ahead;
    return found;
  }
}
