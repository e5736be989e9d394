import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ChatAction, ChatOutcome } from '#server/chat-action.ts';
import type { Db } from '#server/db/database.ts';
import { type HolderKey, sealTo } from './holder-key.ts';

// A local command may wait 8 s for TDLib, and the console gives up after 15 s.
const PATIENCE_MS = 11_000;
const LOOK_MS = 150;

export interface Recipient {
  readonly sessionId: number;
  readonly holder: string;
  readonly holderKey: Buffer;
}

/**
 * Sends an action to the process that holds the session and waits for its outcome. `gone` when that process does not hold it
 * any more, having died for one; nothing when no outcome came in time.
 */
export async function sendAction(
  db: Db,
  { sessionId, holder, holderKey }: Recipient,
  action: ChatAction,
): Promise<ChatOutcome | 'gone' | undefined> {
  const { id } = await db
    .insertInto('chat_command')
    .values({ sessionId, holder, sealed: sealTo(holderKey, JSON.stringify(action)), answer: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const giveUpAt = performance.now() + PATIENCE_MS;
  try {
    while (performance.now() < giveUpAt) {
      await sleep(LOOK_MS);
      const { rows } = await sql<{ answer: unknown; held: boolean }>`
        select c.answer, s.holder is not distinct from c.holder and s."leaseTime" > now() as held
        from chat_command c join chat_session s on s.id = c."sessionId" where c.id = ${id}`.execute(db);
      // The row went with its session.
      if (!rows[0]) return { done: true, say: null };
      if (rows[0].answer !== null) return ChatOutcome.parse(rows[0].answer);
      if (!rows[0].held) return 'gone';
    }
    return undefined;
  } finally {
    await db.deleteFrom('chat_command').where('id', '=', id).execute();
  }
}

/** Takes what was sent to this process, runs it and leaves the outcomes. */
export async function serveActions(
  db: Db,
  holder: string,
  key: HolderKey,
  run: (sessionId: number, action: ChatAction) => Promise<ChatOutcome>,
): Promise<void> {
  const { rows } = await sql<{ id: number; sessionId: number; sealed: Buffer }>`
    with waiting as (
      select id, sealed from chat_command where holder = ${holder} and sealed is not null for update skip locked)
    update chat_command c set sealed = null from waiting w where c.id = w.id
    returning c.id, c."sessionId", w.sealed`.execute(db);
  const answers = rows.map(async ({ id, sessionId, sealed }) => {
    const answer = await run(sessionId, ChatAction.parse(JSON.parse(key.open(sealed))));
    await db
      .updateTable('chat_command')
      .set({ answer: JSON.stringify(answer) })
      .where('id', '=', id)
      .execute();
  });
  await Promise.all(answers);
}

/** Removes what senders that died left behind. */
export async function sweepMailbox(db: Db): Promise<void> {
  await db
    .deleteFrom('chat_command')
    .where('createTime', '<', sql<string>`now() - interval '1 minute'`)
    .execute();
}
