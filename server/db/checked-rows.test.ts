import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOperator } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';

let database: TestDatabase;
let operatorId: number;
beforeAll(async () => {
  database = await testDatabase();
  ({ id: operatorId } = await buildOperator(database.db));
  const { userId } = await buildUser(database.db);
  await sql`insert into deposit ("userId", amount, "bankOrderNo", type) values (${userId}, 1, 'checked', 'BANK_TRANSFER')`.execute(
    database.db,
  );
  await sql`insert into withdrawal ("userId", amount, "receiveAccountNo") values (${userId}, 1, 'checked')`.execute(
    database.db,
  );
  await sql`insert into chat_session ("operatorId", "userId") values (${operatorId}, ${userId})`.execute(
    database.db,
  );
});
afterAll(() => database.drop());

const taken = (table: string) =>
  sql`update ${sql.table(table)} set "takenBy" = ${operatorId}, "takenIn" = gen_random_uuid()`;

test.each([
  ['a deposit is taken without an end', 'deposit_taken_whole', () => taken('deposit')],
  ['a withdrawal is taken without an end', 'withdrawal_taken_whole', () => taken('withdrawal')],
  [
    'a void of a range has one end',
    'settlement_range',
    () =>
      sql`insert into settlement ("gameId", phase, kind, "createTimeFrom") values (1, '1', 'VOID', now())`,
  ],
  [
    'what was typed is kept of a decided approval',
    'approval_sealed',
    () => sql`
      insert into approval ("expireTime", status, "decideTime", summary, call, release, why, input, digest, sealed, "makerId", maker,
        "makerSession", "makerAddress", "makerAgent")
      values (now(), 'REJECTED', now(), 's', 'c', 'r', 'w', '{}', '', 'typed', 0, 'm', gen_random_uuid(), '', '')`,
  ],
  [
    'what a sent mail said is kept',
    'mail_outbox_content',
    () =>
      sql`insert into mail_outbox (template, "to", status, content) values ('LOGIN', 'a@example.com', 'SENT', 'said')`,
  ],
  [
    'a chat session is held by somebody who cannot be written to',
    'chat_session_held',
    () => sql`update chat_session set holder = gen_random_uuid()`,
  ],
])('the table refuses it where %s', async (_, constraint, statement) => {
  await expect(statement().execute(database.db)).rejects.toMatchObject({
    code: '23514',
    constraint_name: constraint,
  });
});
