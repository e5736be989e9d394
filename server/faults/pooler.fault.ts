import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { hasPooler, type Pooler, startPooler } from '#server/testing/pooler.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

describe.skipIf(!hasPooler)('two servers behind PgBouncer in transaction mode', () => {
  let postgres: ExternalPostgres;
  let pooler: Pooler;
  let programs: Program[];

  beforeAll(async () => {
    postgres = await externalPostgres();
    pooler = await startPooler(postgres.url);
    programs = await Promise.all(
      [1, 2].map(() => startProgram({ DATABASE_URL: pooler.url, DATABASE_OWNER_URL: postgres.ownerUrl })),
    );
  });
  afterAll(async () => {
    for (const program of programs) expect(await program.end('SIGTERM')).toBe(0);
    await pooler.stop();
    await postgres.remove();
  });

  test('they migrate once, and 400 changes and queries from 40 callers over 4 connections all succeed', async () => {
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const clients = await Promise.all(
      programs.map(async ({ origin }) => {
        const { envelope } = await testClient(origin).call(login, { username, password });
        return testClient(origin, envelope.data?.access_token);
      }),
    );
    const callers = Array.from({ length: 40 }, async (_, caller) => {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        for (const client of clients) {
          const added = await client.call(addRole, {
            desc: '池',
            name: `p-${caller}-${i}-${clients.indexOf(client)}`,
          });
          const listed = await client.call(listRoles, { name: `p-${caller}-` });
          statuses.push(added.status, listed.status);
          expect(added.envelope.success && listed.envelope.success).toBe(true);
        }
      }
      return statuses;
    });
    expect(new Set((await Promise.all(callers)).flat())).toEqual(new Set([200]));
  });
});
