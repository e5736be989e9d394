import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDeposits } from '#server/features/deposits/deposit-store.ts';
import { pageDrawPlans } from '#server/features/draw-plans/draw-plan-store.ts';
import { pageDrawRecords } from '#server/features/draw-records/draw-record-store.ts';
import { pageUsers } from '#server/features/users/user-store.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { foldCounts } from './counted-list.ts';
import type { Db } from './database.ts';
import type { Page } from './reading.ts';
import { valuesOf, type Written } from './written.ts';

/** Games of a phase a minute, each planned by itself: those of one minute lie far from one another. */
const GAMES = 20;
const MINUTES = 1_500;
const ROWS = GAMES * MINUTES;
const PLAYERS = 1_000;
/** PostgreSQL plans the first five calls of a statement before it may keep a plan for all values. */
const CALLS = 10;

type Asked = { range: [string, string]; gameId?: number; userId?: number; currentPage?: number };
const paging = ({ range: _, ...asked }: Asked) => ({ currentPage: 1, pageSize: 20, ...asked });

const lists = {
  player: (tx: Db, asked: Asked) => pageUsers(tx, { ...paging(asked), createTimeRange: asked.range }),
  deposit: (tx: Db, asked: Asked) => pageDeposits(tx, { ...paging(asked), createTimeRange: asked.range }),
  draw_plan: (tx: Db, asked: Asked) =>
    pageDrawPlans(tx, new Date(), { ...paging(asked), startTimeRange: asked.range }),
  draw_record: (tx: Db, asked: Asked) =>
    pageDrawRecords(tx, { ...paging(asked), openTimeRange: asked.range }),
};

const all: [string, string] = ['2021-01-01 00:00:00', '2021-03-01 00:00:00'];
const aMinute: [string, string] = ['2021-01-01 12:00:00', '2021-01-01 12:00:59'];

describe('a page of a range of time', () => {
  let database: TestDatabase;
  let gameId = 0;
  let userId = 0;
  beforeAll(async () => {
    database = await testDatabase();
    const { db, owner } = database;
    const at = (minute: string) => sql`'2021-01-01'::timestamptz + interval '1 minute' * ${sql.raw(minute)}`;
    await sql`insert into player ("nickName", "createTime") select 'p' || n, ${at('n')} from generate_series(1, ${ROWS}::int) as n`.execute(
      db,
    );
    await sql`insert into account ("userId") select id from player on conflict do nothing`.execute(db);
    const { rows } = await sql<{ id: number }>`select min(id) as id from player`.execute(db);
    userId = rows[0]?.id ?? 0;
    await sql`insert into deposit ("userId", amount, "bankOrderNo", type, status, "reviewTime", "successTime", "createTime")
      select ${userId}::bigint + n % ${PLAYERS}::int, 100, 'D' || n, 'THIRD_PARTY', 'SUCCESS', now(), now(), ${at('n')} from generate_series(1, ${ROWS}::int) as n`.execute(
      db,
    );
    for (let game = 0; game < GAMES; game++) {
      gameId = await buildGame(db);
      await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
        select ${gameId}, 1000 + n, ${at('n')}, ${at('(n + 1)')}, 'OPENED' from generate_series(0, ${MINUTES}::int - 1) as n`.execute(
        db,
      );
      await sql`insert into draw_record ("gameId", phase, result, "openTime", source)
        select ${gameId}, 1000 + n, '1,2,3,4,5', ${at('n')}, 'x' from generate_series(0, ${MINUTES}::int - 1) as n`.execute(
        db,
      );
    }
    while ((await foldCounts(db)) > 0);
    // As autovacuum does for a table that has grown: without it a plan would be a guess.
    await sql`analyze`.execute(owner);
  });
  afterAll(() => database.drop());

  it.each([
    ['player', 'all', { range: all }, ROWS],
    ['player', 'all, in the middle', { range: all, currentPage: ROWS / 40 }, ROWS],
    ['deposit', 'one player', { range: all, userId: 0 }, ROWS / PLAYERS],
    ['draw_plan', 'all', { range: all }, ROWS],
    ['draw_plan', 'all, in the middle', { range: all, currentPage: ROWS / 40 }, ROWS],
    ['draw_plan', 'a minute of all games', { range: aMinute }, GAMES],
    ['draw_plan', 'one game', { range: all, gameId: 0 }, MINUTES],
    ['draw_record', 'all', { range: all }, ROWS],
    ['draw_record', 'all, in the middle', { range: all, currentPage: ROWS / 40 }, ROWS],
    ['draw_record', 'a minute of all games', { range: aMinute }, GAMES],
    ['draw_record', 'one game', { range: all, gameId: 0 }, MINUTES],
  ] as const)(
    'of %s: %s, reads little more than its rows, however often it was asked',
    async (table, _, given, count) => {
      const asked: Asked = {
        ...given,
        range: [...given.range],
        ...('gameId' in given && { gameId }),
        ...('userId' in given && { userId }),
      };
      const read = await rowsRead(database.db, [table], async (tx) => {
        for (let call = 0; call < CALLS; call++) {
          const found: Written<Page<object>> | Page<object> = await lists[table](tx, asked);
          const page = 'data' in found ? found : valuesOf(found);
          expect(page.totalCount).toBe(count);
          expect(page.data).toHaveLength(20);
        }
      });
      expect(read / CALLS).toBeLessThan(2_000);
    },
  );
});
