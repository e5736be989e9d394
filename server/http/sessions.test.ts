import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listRoles } from '#contract/roles.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import type { Db } from '#server/db/database.ts';
import { replaceMenus } from '#server/features/roles/role-store.ts';
import { revokeSession } from '#server/features/sign-in/token-store.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { createSessions, type Sessions } from './sessions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Somebody signed in, with these rights. */
async function somebody(grants: readonly string[] = []) {
  const { db } = database;
  const { id: operatorId, roleId } = await buildOperator(db, { grants });
  const [sessionId, token] = [randomUUID(), randomUUID()];
  await sql`insert into session (id, "operatorId", address, agent) values (${sessionId}, ${operatorId}, '', '')`.execute(
    db,
  );
  const hash = createHash('sha256').update(token).digest();
  await sql`
    insert into access_token (hash, "sessionId", "expireTime") values (${hash}, ${sessionId}, now() + interval '5 minutes')`.execute(
    db,
  );
  return { operatorId, roleId, sessionId, token };
}

/** A database, and from `hold` on its next answer to a statement that has `words` in it is on its way for as long as one likes. */
function slowly(words: string) {
  const read = Promise.withResolvers<void>();
  const arrives = Promise.withResolvers<void>();
  let isNext = false;
  let held: unknown;
  const db: Db = database.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (isNext && JSON.stringify(node).includes(words)) {
        isNext = false;
        held = queryId;
      }
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (queryId === held) {
        read.resolve();
        await arrives.promise;
      }
      return result;
    },
  });
  const hold = () => {
    isNext = true;
    return { read: read.promise, arrive: arrives.resolve };
  };
  return { db, hold };
}

/** Ends a session, and this server is told that access has changed. */
async function end(sessionId: string, { doubt }: Sessions): Promise<void> {
  await revokeSession(database.db, sessionId);
  await bumpEpoch(database.db, { sessionIds: [sessionId] });
  doubt();
}

it('what was read of a session before it was ended, and arrives after, is not remembered', async () => {
  const { sessionId, token } = await somebody();
  const { db, hold } = slowly('join access_token');
  const sessions = createSessions(db, () => new Date());
  const { read, arrive } = hold();
  const first = sessions.find(token);
  await read;
  await end(sessionId, sessions);
  // Somebody else comes meanwhile, by whom this server hears of the end.
  await sessions.approvalsEnforced();
  arrive();
  expect(await first).toMatchObject({ sessionId });
  expect(await sessions.find(token)).toBeUndefined();
});

it('what was read of a role before it lost its menus, and arrives after, is not remembered', async () => {
  const { roleId, token } = await somebody(['/main/pms/role']);
  const { db, hold } = slowly('from role_menu');
  const sessions = createSessions(db, () => new Date());
  const { read, arrive } = hold();
  const first = sessions.find(token);
  await read;
  await replaceMenus(database.db, roleId, []);
  await bumpEpoch(database.db, { roleIds: [roleId] });
  sessions.doubt();
  await sessions.approvalsEnforced();
  arrive();
  await first;
  expect((await sessions.find(token))?.may(listRoles)).toBe(false);
});

it('a change of access while this server looks whether there was one is seen by the next who comes', async () => {
  const { sessionId, token } = await somebody();
  const { db, hold } = slowly('from access_epoch s');
  const sessions = createSessions(db, () => new Date());
  expect(await sessions.find(token)).toMatchObject({ sessionId });
  const { read, arrive } = hold();
  sessions.doubt();
  const looking = sessions.find(token);
  await read;
  await end(sessionId, sessions);
  arrive();
  await looking;
  expect(await sessions.find(token)).toBeUndefined();
});
