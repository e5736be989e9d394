import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { readsOver } from '#server/db/reads.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  // A role named victim-N loses N times: the sequence counts on whatever is rolled back.
  const { owner } = server.database;
  await sql`create sequence tries`.execute(owner);
  await sql`grant all on sequence tries to public`.execute(owner);
  await sql`create function lose(times bigint, code text) returns void language plpgsql as $$ begin
    if nextval('tries') <= times then raise exception using errcode = code, message = 'lost'; end if; end $$`.execute(
    owner,
  );
  await sql`create function lose_role() returns trigger language plpgsql as $$ begin
    perform lose(substring(new.name from 'victim-(\\d+)')::bigint, '40P01'); return new; end $$`.execute(
    owner,
  );
  await sql`create trigger lose_role before insert on role for each row when (new.name like 'victim-%') execute function lose_role()`.execute(
    owner,
  );
});
afterAll(() => server.close());

const again = () => sql`select setval('tries', 1, false)`.execute(server.db);
const tries = async () => {
  const { rows } = await sql<{ n: number }>`select last_value as n from tries`.execute(server.db);
  return rows[0]?.n;
};

describe('the victim of a deadlock', () => {
  it('is tried again, and succeeds once', async () => {
    await again();
    const admin = await server.admin();
    const { envelope } = await admin.call(addRole, { desc: '败', name: 'victim-3' });
    expect(envelope).toMatchObject({ success: true });
    expect((await admin.call(listRoles, { name: 'victim-3' })).envelope.data).toHaveLength(1);
    expect(await tries()).toBe(4);
  });

  it('that always loses is told to come again, and changes nothing', async () => {
    await again();
    const admin = await server.admin();
    const answer = await admin.call(addRole, { desc: '败', name: 'victim-99' });
    expect(answer).toMatchObject({
      status: 503,
      envelope: { success: false, code: 503, msg: '同一数据正被多处同时修改，请稍后再试' },
    });
    expect((await admin.call(listRoles, { name: 'victim-99' })).envelope.data).toEqual([]);
    expect(await tries()).toBe(5);
  });

  it.each(['40001', '40P01'])('is tried again when it only read (%s)', async (code) => {
    await again();
    const answer = await readsOver(connectionsOver(server.db, server.database.url)).query(async (db) => {
      await sql`select lose(2, ${code})`.execute(db);
      return 'read';
    });
    expect(answer).toBe('read');
    expect(await tries()).toBe(3);
  });
});
