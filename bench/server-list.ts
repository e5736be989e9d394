import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { added } from '#server/db/rows.ts';
import { seed } from '#server/features/seed.ts';
import { ADMIN_PASSWORD, benchConfig } from './bench-config.ts';
import { tell } from './figures.ts';
import { interleaved, loadOnce } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * A signed-in, authorised, validated list of 20 rows, against a bare node:http handler that runs the same SQL through
 * postgres.js and answers the same bytes. Both in this process, the load in another; goal: at most 1.15 times the cost.
 */
const ROUNDS = 7;
const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'));
const pg = await startOwnPostgres({ dataDir, durable: false });
const config = benchConfig(dataDir);
const db = connect(pg.ownerUrl, { timeZone: config.timeZone, max: 16 });
await migrate(db);
await seed(db, { ...config, sampleData: false });
for (let i = 0; i < 19; i++) await added(db, 'role', { desc: `角色 ${i}`, name: `role-${i}` });

const app = await buildApp({ config, connections: connectionsOver(db, pg.ownerUrl) });
const ours = await app.listen({ host: '127.0.0.1', port: 0 });
const signedIn = await app.inject({
  method: 'POST',
  url: `/api${login.path}`,
  payload: { username: 'admin', password: ADMIN_PASSWORD },
});
const token: string = signedIn.json().data.access_token;

const sql = postgres(pg.ownerUrl, {
  max: 16,
  connection: { TimeZone: config.timeZone },
  types: {
    int8: { to: 20, from: [20], parse: Number, serialize: String },
    moment: { to: 1184, from: [1184], parse: (text: string) => text.slice(0, 19), serialize: String },
  },
});
const held = (await db.selectFrom('menu').select('id').execute()).map(({ id }) => id);
const bare = createServer(async (_request, response) => {
  const rows = await sql`
    select "id", "version", "desc", "name", coalesce((
      select jsonb_agg(jsonb_build_object('id', g."menuId") order by g."menuId")
      from role_menu g where g."roleId" = role.id), '[]') as "hasMenus", "createDate", "editDate", exists (
      select from role_menu g where g."roleId" = role.id and g."menuId" <> all(${held}::bigint[])) as "outranks"
    from "role" order by "id" desc`;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ success: true, msg: null, data: rows, code: 200 }));
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const address = bare.address();
const bareUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;

const request = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${token}` },
  body: 'desc=&name=',
  seconds: 3,
} as const;
const answerOf = async (url: string): Promise<unknown> => (await fetch(url, request)).json();
const oursUrl = `${ours}/api/pms/role/list`;
assert.deepEqual(await answerOf(oursUrl), await answerOf(bareUrl));
for (const connections of [1, 16]) {
  const rates = await interleaved(
    {
      bare: () => loadOnce({ ...request, url: bareUrl, connections }),
      ours: () => loadOnce({ ...request, url: oursUrl, connections }),
    },
    ROUNDS,
  );
  const { bare: bareRate = 0, ours: ourRate = 0 } = rates;
  tell({
    ...{
      what: `a list of 20 rows, ${connections} connections, against bare`,
      value: bareRate / ourRate,
      unit: 'times',
    },
    ...{ goal: { most: 1.15 }, note: `${bareRate.toFixed(0)}/s and ${ourRate.toFixed(0)}/s` },
  });
}

bare.closeAllConnections();
bare.close();
await sql.end();
await app.close();
await db.destroy();
await pg.stop();
rmSync(dataDir, { recursive: true, force: true });
