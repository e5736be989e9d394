import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureCode } from '#contract/failures.ts';
import type { ChatAction, ChatOutcome } from '#server/chat-action.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { rowsExist } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import { coalesced, every } from '#server/repeat.ts';
import type { Vault } from '#server/vault.ts';
import { ChatClient } from './chat-client.ts';
import { BEAT_SECONDS, claimOf, LEASE_SECONDS } from './chat-lease-rules.ts';
import * as leases from './chat-lease-store.ts';
import { sendAction, serveActions, sweepMailbox } from './chat-mailbox.ts';
import { type ChatPlace, chatPlace } from './chat-place.ts';
import { saveShown } from './chat-session-store.ts';
import { isOver, NOT_SIGNED_OUT, takeStep } from './chat-steps.ts';
import { createHolderKey } from './holder-key.ts';
import type { TdLibrary } from './td-library.ts';

interface HubOptions {
  readonly db: Db;
  readonly config: Config;
  readonly vault: Vault;
  readonly loadLibrary: () => Promise<TdLibrary>;
  /** Something in the background failed; never holds a secret. */
  readonly onError: (error: unknown) => void;
}

/** One session that runs in this process. */
interface Held {
  readonly clientId: string;
  readonly client: ChatClient;
  /** Writes down what the client shows: one write at a time, so that the newest comes last. */
  readonly save: () => Promise<void>;
  /** Set when the process lets go of the session: what the client reports from then on is not written down. */
  leaving: boolean;
  /** The client's `activeAt` as it was last written down. */
  savedAt: number;
}

/** Another process has claimed the session since it was looked for. */
class HeldElsewhere extends Error {}

/** What may be done again although a process that died may have done it. */
const bearsRepeating: ReadonlySet<ChatAction['kind']> = new Set(['activate', 'end']);
/** Why a client cannot be started here at all, whoever asks and however often. */
const neverStarts: ReadonlySet<FailureCode> = new Set([
  ...(['chatKeyUnreadable', 'chatNotConfigured', 'chatLibraryMissing'] as const),
]);
/** How often a session is looked for. */
const ROUNDS = 3;

const SERVE_MS = 250;
const FIRST_STATE_MS = 2_000;
/** A stop leaves no more; TDLib writes as it goes. */
const CLOSE_MS = 2_000;

/**
 * The chat sessions that run in this process. A session is held under a lease in the database, so that it runs in one
 * process only; what comes in at another server is passed on, sealed so that only the holder can read it.
 */
export class ChatHub {
  readonly #options: HubOptions;
  readonly #place: ChatPlace;
  readonly #holder = randomUUID();
  readonly #key = createHolderKey();
  readonly #held = new Map<number, Held>();
  readonly #opening = new Map<number, Promise<Held>>();
  #loops: { stop: () => Promise<void> }[] = [];
  #renewedAt = performance.now();
  #stopped = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#place = chatPlace(options.config.dataDir);
  }

  /** Begins to look after the sessions of this place; those that ran before are started again. */
  async start(): Promise<void> {
    if (this.#options.config.telegram && (await this.#place.find())) this.#run();
  }

  /** Closes all clients; their accounts stay signed in. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await Promise.allSettled(this.#opening.values());
    await Promise.all([...this.#held.keys()].map((id) => this.#leave(id)));
  }

  /** Does what an operator asks of a session, here or where it runs. Throws what it was refused for. */
  async perform(id: number, action: ChatAction): Promise<string | null> {
    const outcome = await this.#route(id, action);
    if (outcome.done) return outcome.say;
    const { message, field } = outcome;
    throw new Refusal('chatRejected', { values: { message }, ...(field ? { field } : {}) });
  }

  /** Finds out who runs the session, which may change on the way: another server was faster, or the one asked has died. */
  async #route(id: number, action: ChatAction): Promise<ChatOutcome> {
    for (let round = 1; ; round++) {
      const outcome = await this.#tryRoute(id, action).catch((error: unknown) => {
        if (error instanceof HeldElsewhere) return 'held' as const;
        throw error;
      });
      if (outcome === 'gone' && !bearsRepeating.has(action.kind)) throw new Refusal('chatElsewhere');
      if (outcome !== 'held' && outcome !== 'gone') return outcome;
      if (round === ROUNDS) throw new Refusal('chatElsewhere');
    }
  }

  async #tryRoute(id: number, action: ChatAction): Promise<ChatOutcome | 'gone'> {
    if (this.#held.has(id) || this.#opening.has(id)) return this.#perform(id, action);
    const lease = await leases.findLease(this.#options.db, id);
    if (!lease) throw new Refusal('recordNotFound');
    const { holder, holderKey, overSeconds } = lease;
    if (holder && holderKey && overSeconds !== null && overSeconds < 0) {
      const outcome = await sendAction(this.#options.db, { sessionId: id, holder, holderKey }, action);
      if (!outcome) throw new Refusal('chatElsewhere');
      return outcome;
    }
    if (!lease.running && action.kind === 'end') return { done: true, say: null };
    if (!lease.running && action.kind !== 'activate') throw new Refusal('chatNotActive');
    // Its files are out of reach, and lose their key with the row.
    if (
      action.kind === 'end' &&
      claimOf(lease, { place: (await this.#place.find()) ?? '', holder: this.#holder }) === 'away'
    )
      return { done: true, say: NOT_SIGNED_OUT };
    return this.#perform(id, action);
  }

  /** The action on a session of this process, with a refusal as an outcome so that it can travel. */
  async #perform(id: number, action: ChatAction): Promise<ChatOutcome> {
    try {
      // What failed to start is tried again, what stands already stays.
      if (action.kind === 'activate' && this.#held.get(id)?.client.hasFailed) await this.#leave(id);
      const held = await this.#open(id);
      if (action.kind === 'activate') return { done: true, say: null };
      return { done: true, say: await takeStep(held.client, action) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 200) throw error;
      if (action.kind === 'end' && neverStarts.has(error.failure)) return this.#abandon(id);
      const field = Object.keys(error.errors ?? {})[0] ?? null;
      return { done: false, message: error.message, field };
    }
  }

  /** What cannot be started cannot be signed out either: its files go, worthless without the row. */
  async #abandon(id: number): Promise<ChatOutcome> {
    const lease = await leases.findLease(this.#options.db, id);
    if (lease?.clientId) await this.#place.remove(lease.clientId);
    return { done: true, say: NOT_SIGNED_OUT };
  }

  /** The session's client, started if need be. */
  #open(id: number): Promise<Held> {
    const held = this.#held.get(id);
    if (held) return Promise.resolve(held);
    const opening =
      this.#opening.get(id) ??
      this.#claimAndOpen(id).finally(() => {
        this.#opening.delete(id);
      });
    this.#opening.set(id, opening);
    return opening;
  }

  async #claimAndOpen(id: number): Promise<Held> {
    const { db, vault, config, loadLibrary } = this.#options;
    if (this.#stopped) throw new Refusal('chatElsewhere');
    if (!config.telegram) throw new Refusal('chatNotConfigured');
    const library = await loadLibrary();
    const here = { place: await this.#place.make(), holder: this.#holder };
    const claimed = await leases.claimSession(db, id, { vault, here, publicKey: this.#key.publicKey });
    if (!claimed) throw new Refusal('recordNotFound');
    if (claimed === 'held') throw new HeldElsewhere();
    if (claimed === 'away') throw new Refusal('chatElsewhere');
    const held = this.#hold(id, claimed, library, config.telegram);
    this.#run();
    // The console asks for the state next: let it find more than "starting".
    await Promise.race([held.client.started, sleep(FIRST_STATE_MS, undefined, { ref: false })]);
    await held.save();
    return held;
  }

  #hold(
    id: number,
    { clientId, databaseKey }: leases.Claimed,
    library: TdLibrary,
    telegram: NonNullable<Config['telegram']>,
  ): Held {
    const folder = this.#place.folderOf(clientId);
    const onChange = () => void this.#held.get(id)?.save();
    const client = new ChatClient({ library, ...telegram, databaseKey, folder, onChange });
    const save = coalesced(() => this.#save(id, held), this.#options.onError);
    const held: Held = { clientId, client, save, leaving: false, savedAt: 0 };
    this.#held.set(id, held);
    return held;
  }

  async #save(id: number, held: Held): Promise<void> {
    if (held.leaving) return;
    const { state: authState, detail, phone, activeAt } = held.client;
    const idleMs = performance.now() - activeAt;
    await saveShown(this.#options.db, id, this.#holder, { authState, detail, phone, idleMs });
    held.savedAt = activeAt;
    if (authState === 'AuthorizationStateClosed') await this.#forget(id, held);
  }

  /** The client has come to its end: logged out here or elsewhere. Its files are worthless. */
  async #forget(id: number, held: Held): Promise<void> {
    if (held.leaving) return;
    held.leaving = true;
    this.#held.delete(id);
    await leases.releaseSession(this.#options.db, id, this.#holder, { ended: true });
    await this.#place.remove(held.clientId);
  }

  /** Closes the client without ending the login, and gives the session up unless it is another's already. */
  async #leave(id: number): Promise<void> {
    const held = this.#held.get(id);
    if (!held || held.leaving) return;
    held.leaving = true;
    this.#held.delete(id);
    void held.client.close();
    await isOver(held.client, CLOSE_MS);
    await leases
      .releaseSession(this.#options.db, id, this.#holder, { ended: false })
      .catch(this.#options.onError);
  }

  #run(): void {
    if (this.#loops.length > 0 || this.#stopped) return;
    const { onError } = this.#options;
    this.#loops = [
      every(BEAT_SECONDS * 1000, () => this.#beat(), onError),
      every(SERVE_MS, () => this.#serve(), onError),
    ];
  }

  async #serve(): Promise<void> {
    if (this.#held.size === 0) return;
    const run = (id: number, action: ChatAction) => this.#perform(id, action);
    await serveActions(this.#options.db, this.#holder, this.#key, run);
  }

  /** Renews the leases, lets go of what is not held any more, and starts what should run here. */
  async #beat(): Promise<void> {
    const { db, onError } = this.#options;
    const asked = performance.now();
    // Whoever cannot renew must be gone before the lease is over and another server begins.
    const fence = () => Promise.all([...this.#held.keys()].map((id) => this.#leave(id)));
    if (this.#held.size > 0 && asked - this.#renewedAt > (LEASE_SECONDS - BEAT_SECONDS) * 1000) await fence();
    const kept = new Set(await leases.renewLeases(db, this.#holder));
    this.#renewedAt = asked;
    for (const [id, held] of this.#held) {
      if (!kept.has(id)) await this.#lose(id, held);
      else if (held.client.activeAt !== held.savedAt) await held.save();
    }
    const place = await this.#place.find();
    const idle = place ? await leases.listIdleSessions(db, place) : [];
    for (const id of idle)
      if (!this.#stopped)
        await this.#open(id).catch((error: unknown) => {
          if (!(error instanceof HeldElsewhere)) onError(error);
        });
    await sweepMailbox(db);
  }

  /** The row is another server's now, or it is gone, with its operator for one: then the login ends too. */
  async #lose(id: number, held: Held): Promise<void> {
    if (await rowsExist(this.#options.db, 'chat_session', [id])) return this.#leave(id);
    await takeStep(held.client, { kind: 'end' });
    await this.#forget(id, held);
  }
}
