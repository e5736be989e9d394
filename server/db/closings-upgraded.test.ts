import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesAfter, landings, lay, numberOf } from '#server/testing/past-database.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { migrate } from './migrate.ts';
import { letServerWork } from './server-rights.ts';

// A server of the version before runs on while the database learns what closings stand.
let database: TestDatabase;
let db: Db;
/** Of the role of that server. */
let beside: Db;
beforeAll(async () => {
  database = await testDatabase({ empty: true });
  db = database.db;
  await lay(
    db,
    filesAfter(landings.length).filter((file) => numberOf(file) <= '0510'),
  );
  await letServerWork(db, new URL(database.url).username);
  beside = connect(database.url, { timeZone: 'Asia/Shanghai', max: 1 });
  await sql`insert into game_category (name) values ('时时彩')`.execute(db);
  await sql`insert into game (name, "categoryId", phase, "openRate", "stopBetSecond") values ('旧游戏', 1, '1', 300, 28)`.execute(
    db,
  );
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime") values
      (1, '1', now() - interval '1 hour', now() + interval '1 hour'), (1, '2', now() + interval '1 hour', now() + interval '2 hours')`.execute(
    db,
  );
  await migrate(db);
});
afterAll(async () => {
  await beside.destroy();
  await database.drop();
});

const stops = async () =>
  (
    await sql<{ stop: number }>`
      select extract(epoch from p."endTime" - c.closes)::float8 as stop from draw_plan p join game g on g.id = p."gameId",
        closing_of(g.id, g."stopBetSecond", p."startTime", p."endTime") as c order by p.id`.execute(beside)
  ).rows.map(({ stop }) => stop);

it('what a server of before asks and changes goes by the closings that stand', async () => {
  expect(await stops()).toEqual([28, 28]);
  await sql`update game set "stopBetSecond" = 2`.execute(beside);
  expect(await stops()).toEqual([28, 2]);
});
