import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessagePort } from 'node:worker_threads';
import { type ControlledTransaction, sql } from 'kysely';
import { contract } from '#contract/all.ts';
import { findLiveSession } from './access/access-store.ts';
import type { SignedIn } from './access/signed-in.ts';
import type { Config } from './config.ts';
import { shares } from './db/connection-shares.ts';
import { connect, type Db, type Tables } from './db/database.ts';
import { DatabaseUnavailable } from './db/driver/outage.ts';
import { during } from './db/driver/statements.ts';
import { holds, type Position, replayed } from './db/log-position.ts';
import { exportList, type Piece } from './exports/export-list.ts';
import { type ExportOrder, failureOf, type Reply, STALLED_MS, type Told } from './exports/thread-words.ts';
import { registry } from './features/registry.ts';
import type { Context } from './http/handler.ts';
import { listPages } from './http/list-pages.ts';
import { Refusal } from './refusal.ts';
import { tellSlowStatements } from './slow-statements.ts';
import { createVault } from './vault.ts';

/** One unchanging view of the data, that outlives the pauses of a slow reader; it holds what is wanted of it. */
async function openSnapshot(db: Db, wanted?: Position): Promise<ControlledTransaction<Tables>> {
  // Before the view, since it stands still and what is replayed does not; over its own session, as others may lead to other machines.
  if (wanted && !holds(await replayed(db), wanted)) throw new DatabaseUnavailable('this replica is behind');
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await sql`select set_config('idle_in_transaction_session_timeout', ${`${2 * STALLED_MS}ms`}, true)`.execute(
    snapshot,
  );
  return snapshot;
}

/** A list reads the database and nothing else of the server. */
const apart = (): never => {
  throw new Error('a list that is exported is read apart from the server');
};

function contextOf(config: Config, db: Db, order: ExportOrder, operator: SignedIn): Context {
  const { now, address, agent } = order;
  return {
    ...{ db, config, now, address, agent, operator, vault: createVault(config.secret) },
    ...{
      replicaTrouble: undefined,
      backgroundTroubles: apart,
      chat: { perform: apart },
      live: { read: apart, join: apart },
    },
    ...{ log: { error: apart }, say: apart, remark: apart, accessChanged: apart, answerOnceHeard: apart },
    ...{ waits: false, rerun: apart },
  };
}

/** Reads the list as whoever asked for it sees it. */
async function listOf(config: Config, db: Db, order: ExportOrder) {
  const { call, format, language, input, sessionId } = order;
  const operator = await findLiveSession(db, sessionId);
  if (!operator) throw new Refusal('unauthenticated');
  const read = listPages(call, registry[call], input, contextOf(config, db, order, operator));
  return exportList({ endpoint: contract[call], format, language, db, read });
}

/** What a piece mostly has room in. */
const SHARED_BYTES = 1 << 20;

const sharing = (bytes: number) => new Uint8Array(new SharedArrayBuffer(bytes));

/**
 * Sends pieces in memory that both threads share, in two places by turns: the one before is still being packed when the next is asked for.
 * Bytes that are handed over would count as old to whoever takes them: V8 looks through their whole heap at each 64 MB of such.
 */
function sendingTo(port: MessagePort): (piece: Piece) => void {
  let [place, other] = [sharing(SHARED_BYTES), sharing(SHARED_BYTES)];
  return ({ bytes, rows }) => {
    if (bytes.length > place.length) place = sharing(2 * bytes.length);
    place.set(bytes);
    port.postMessage({ bytes: place.subarray(0, bytes.length), rows } satisfies Reply);
    [place, other] = [other, place];
  };
}

/** Writes one list over a session, a piece ahead of whoever asks for it, until it is done or its port is closed. */
async function serve(config: Config, session: Db, order: ExportOrder, port: MessagePort): Promise<void> {
  const closed = new Promise((resolve) => port.once('close', resolve));
  const snapshot = await openSnapshot(session, order.wanted);
  try {
    const list = await listOf(config, snapshot, order);
    const pieces = list.pieces();
    const sendPiece = sendingTo(port);
    let ahead = pieces.next();
    // Asked for from outside, and yet work of this call.
    const send = AsyncLocalStorage.bind(async (): Promise<void> => {
      const { value, done } = await ahead;
      if (done) return port.postMessage({ done } satisfies Reply);
      // First: its bytes may be written over by the next.
      sendPiece(value);
      ahead = pieces.next();
      ahead.catch(() => undefined);
    });
    port.on(
      'message',
      () => void send().catch((error: unknown) => port.postMessage({ failed: failureOf(error) })),
    );
    port.postMessage({ total: list.total } satisfies Reply);
    await closed;
    await pieces.return(undefined).catch(() => undefined);
  } finally {
    await snapshot.rollback().execute();
  }
}

/** Serves all exports that are asked for, until the word to end. */
export function serveExports(asked: MessagePort, config: Config): void {
  const { timeZone } = config;
  const pools = new Map<string, Db>();
  const warn = (details: object, message: string) => asked.postMessage({ details, message } satisfies Told);
  tellSlowStatements({ warn }, config.slowStatementMs);
  const poolOf = (url: string): Db => {
    const pool =
      pools.get(url) ?? connect(url, { timeZone, name: 'exports', max: shares.exports, givesWay: true });
    pools.set(url, pool);
    return pool;
  };
  asked.on('message', (word: 'end' | { order: ExportOrder; port: MessagePort }) => {
    if (word === 'end') {
      asked.close();
      void Promise.all([...pools.values()].map((pool) => pool.destroy()));
      return;
    }
    const { order, port } = word;
    const work = { kind: 'call', name: order.call } as const;
    const serving = () =>
      poolOf(order.url)
        .connection()
        .execute((session) => serve(config, session, order, port));
    void during(work, serving).catch((error: unknown) =>
      port.postMessage({ failed: failureOf(error) } satisfies Reply),
    );
  });
}
