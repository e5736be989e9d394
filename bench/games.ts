import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { listGames } from '#contract/games.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { requestFor } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { connect } from '#server/db/database.ts';
import { columnTypes } from '#server/db/driver/column-types.ts';
import { migrate } from '#server/db/migrate.ts';
import { seed } from '#server/features/seed.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { ADMIN_PASSWORD, benchConfig } from './bench-config.ts';
import { tell } from './figures.ts';
import { interleaved, loadOnce } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * The page of play ways of a game with 200 of them and 4,000 odds, and the list of all games that the presets make, against
 * bare node:http over postgres.js that reads the same rows and answers them in the same shape. In turns within one run.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PLAY_WAYS = 200;
const NUMBERS = 20;
const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'));
const pg = await startOwnPostgres({ dataDir, durable: false });
const config = benchConfig(dataDir);
const db = connect(pg.ownerUrl, { timeZone: config.timeZone, max: 16 });
await migrate(db);
await seed(db, { ...config, sampleData: true });

async function buildPlayWays(): Promise<number> {
  const numbers = Array.from({ length: NUMBERS }, (_, number) => String(number + 1));
  const gameId = await buildGame(db, { numbers });
  const category = { gameId, name: '两面', countOfRows: 5, hideName: false };
  const insert = (parentCategoryId: number | null) =>
    db
      .insertInto('play_way_category')
      .values({ ...category, parentCategoryId })
      .returning('id');
  const { id: top } = await insert(null).executeTakeFirstOrThrow();
  const { id: subCategoryId } = await insert(top).executeTakeFirstOrThrow();
  const reading = {
    gameId,
    name: '号码',
    resultIndex: '0',
    resultHandlerName: 'ValueHandler',
    handlerOptions: null,
  };
  const latitude = db.insertInto('bet_latitude').values(reading).returning('id');
  const { id: betLatitudeId } = await latitude.executeTakeFirstOrThrow();
  const rows = Array.from({ length: PLAY_WAYS }, (_, index) => ({
    ...{ gameId, subCategoryId, betLatitudeId, name: `玩法 ${index}`, showRate: '19.8' },
  }));
  const playWays = await db.insertInto('play_way').values(rows).returning('id').execute();
  const numberIds = await db.selectFrom('game_number').select('id').where('gameId', '=', gameId).execute();
  const odds = playWays.flatMap(({ id: playWayId }) =>
    numberIds.map(({ id: numberId }) => ({ playWayId, numberId, odds: '19.8' })),
  );
  await db.insertInto('odds').values(odds).execute();
  return gameId;
}

const gameId = await buildPlayWays();
const app = await buildApp({ config, connections: connectionsOver(db, pg.ownerUrl) });
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
const operator = { username: 'admin', password: ADMIN_PASSWORD };
const signedIn = await app.inject({ method: 'POST', url: `/api${login.path}`, payload: operator });
const token: string = signedIn.json().data.access_token;

const sql = postgres(pg.ownerUrl, { max: 16, connection: { TimeZone: config.timeZone }, types: columnTypes });

/** The play ways of a page with their odds, in as many bytes; how much they return and leave the house is not worked out. */
async function barePlayWays(pageSize: number) {
  const [count] = await sql`select count(*) as n from play_way where "gameId" = ${gameId}`;
  const rows = await sql`
    select p.id, p."gameId", p."subCategoryId", p."betLatitudeId", p.name, p."showRate", p.version, p.selection, p.stopped,
      c."parentCategoryId" as "categoryId" from play_way p join play_way_category c on c.id = p."subCategoryId"
    where p."gameId" = ${gameId} order by p.id desc limit ${pageSize}`;
  const odds = await sql`
    select o.id, o."playWayId", o."numberId", n.number, o.odds, o.stopped, o.version, null as "returnRate" from odds o join game_number n on n.id = o."numberId"
    where o."playWayId" = any(${rows.map(({ id }) => id)}) order by o.id`;
  const lists = Map.groupBy(odds, ({ playWayId }) => playWayId);
  const data = rows.map((row) => ({
    ...row,
    ...{ oddsFrom: 'NUMBER', outcomes: [] },
    odds: lists.get(row.id),
    margin: '1.0101',
  }));
  return { totalCount: count?.n, data };
}

async function bareGames() {
  const rows = await sql`select * from game order by id desc`;
  const ids = rows.map(({ id }) => id);
  const ranges =
    await sql`select * from bet_time_range where "gameId" = any(${ids}) order by "gameId", start`;
  const numbers =
    await sql`select id, version, "gameId", number, "desc" from game_number where "gameId" = any(${ids}) order by id`;
  const [byGame, timesOf] = [numbers, ranges].map((list) => Map.groupBy(list, (row) => row.gameId));
  return rows.map((row) => ({
    ...{ ...row, timeRangesDesc: '00:00:00-23:59:59' },
    ...{ timeRanges: timesOf?.get(row.id), numbers: byGame?.get(row.id) },
  }));
}

const answers: Record<string, () => Promise<unknown>> = {
  '/20': () => barePlayWays(20),
  '/200': () => barePlayWays(PLAY_WAYS),
  '/games': bareGames,
};
const bare = createServer(async (request, response) => {
  const data = await answers[request.url ?? '']?.();
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ success: true, msg: null, data, code: 200 }));
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const address = bare.address();
const bareOrigin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

function loadOf<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) {
  const { method, url, contentType, body } = requestFor(endpoint, input);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(contentType ? { 'content-type': contentType } : {}),
  };
  return { url: origin + url, method, headers, body: body ?? '', seconds: 2 };
}

const cases = {
  '20 play ways, 400 odds': ['/20', loadOf(pagePlayWays, { gameId })],
  '200 play ways, 4,000 odds': ['/200', loadOf(pagePlayWays, { gameId, pageSize: PLAY_WAYS })],
  'all games': ['/games', loadOf(listGames, {})],
} as const;
for (const [name, [path, load]] of Object.entries(cases)) {
  const { method, headers, body } = load;
  const [ours, theirs] = await Promise.all(
    [load.url, bareOrigin + path].map(async (url) =>
      (await fetch(url, { method, headers, body: body || null })).text(),
    ),
  );
  if (!ours?.startsWith('{"success":true')) throw new Error(ours);
  console.log(`${name}: ${ours?.length} characters, bare ${theirs?.length}`);
  for (const connections of [1, 16]) {
    const rates = await interleaved(
      {
        bare: () => loadOnce({ ...load, url: bareOrigin + path, connections }),
        ours: () => loadOnce({ ...load, connections }),
      },
      ROUNDS,
    );
    const { bare: bareRate = 0, ours: ourRate = 0 } = rates;
    const ms = ((1000 * connections) / ourRate).toFixed(1);
    tell({
      ...{
        what: `${name}, ${connections} connections, against bare`,
        value: bareRate / ourRate,
        unit: 'times',
      },
      ...{ goal: { most: 1.15 }, note: `${bareRate.toFixed(0)}/s and ${ourRate.toFixed(0)}/s (${ms} ms)` },
    });
  }
}

bare.closeAllConnections();
bare.close();
await sql.end();
await app.close();
await db.destroy();
await pg.stop();
rmSync(dataDir, { recursive: true, force: true });
