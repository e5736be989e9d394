import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import postgres from 'postgres';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { foldCounts } from '#server/db/counted-list.ts';
import { connect, type Db } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { generatePlans } from '#server/features/draw-plans/generate.ts';
import { seed } from '#server/features/seed.ts';
import { addDays, dayOf, dayStart } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { ADMIN_PASSWORD, benchConfig } from './bench-config.ts';
import { tell } from './figures.ts';
import { interleaved } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

const ZONE = 'Asia/Shanghai';
const GAMES = 100;
const ROWS = Math.round(1_000_000 * Number(process.env.BENCH_SCALE ?? 1));
const ROUNDS = Number(process.env.ROUNDS ?? 15);

/** Past plans and their records, a minute apart, all games side by side. */
async function fill(db: Db, games: readonly number[]): Promise<void> {
  const each = Math.floor(ROWS / games.length);
  for (let first = 0; first < each; first += 500) {
    const moments = sql`from unnest(${[...games]}::bigint[]) as g, generate_series(${first}::int, ${Math.min(each, first + 500) - 1}::int) as n`;
    const at = sql`date_trunc('day', now()) - interval '1 minute' * (${each} - n)`;
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      select g, n::text, ${at}, ${at} + interval '1 minute', 'OPENED' ${moments} order by n, g`.execute(db);
    await sql`insert into draw_record ("gameId", phase, result, "openTime", source)
      select g, n::text, '1,2,3,4,5', ${at} + interval '1 minute', 'x' ${moments} order by n, g`.execute(db);
  }
  while ((await foldCounts(db)) > 0);
  await sql`vacuum analyze`.execute(db);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

type Send = (path: string, fields: object) => Promise<void>;

/** Sends calls to a server over these data, as a signed-in operator; one that does not answer rows ends the bench. */
async function startServer(db: Db): Promise<{ send: Send; stop: () => Promise<void> }> {
  const config = benchConfig(dataDir);
  await seed(db, { ...config, sampleData: false });
  const app = await buildApp({ config, connections: connectionsOver(db, server.ownerUrl) });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const post = async (path: string, fields: object, token = '') => {
    const entries = Object.entries(fields).flatMap(([name, value]) =>
      [value ?? []].flat().map((each) => [name, String(each)]),
    );
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      body: new URLSearchParams(entries),
      headers,
    });
    const { success, msg, data } = (await answer.json()) as {
      success: boolean;
      msg: string;
      data: { access_token: string };
    };
    if (!success) throw new Error(`${path}: ${msg}`);
    return data;
  };
  const { access_token: token } = await post(login.path, { username: 'admin', password: ADMIN_PASSWORD });
  return { send: async (path, fields) => void (await post(path, fields, token)), stop: () => app.close() };
}

/** Pages of both lists, asked for one after the other; each against the first page of the same list. */
async function lists(send: Send, gameId: number): Promise<void> {
  const today = dayOf(Date.now() / 1000, ZONE);
  const first = { currentPage: 1, pageSize: 20 };
  const lastOf = (rows: number) => ({ currentPage: Math.floor(rows / 20), pageSize: 20 });
  const perGame = Math.floor(ROWS / GAMES);
  const days: [string, string] = [`${addDays(today, -3)} 00:00:00`, `${addDays(today, -1)} 23:59:59`];
  const hours: [string, string] = [`${addDays(today, -3)} 09:30:00`, `${addDays(today, -2)} 17:15:00`];
  const inDays = Math.min(ROWS, 3 * 1_440 * GAMES);
  const filters = {
    'first page': first,
    'deep last page': lastOf(ROWS),
    'one game': { ...first, gameId },
    'one game, last page': { ...lastOf(perGame), gameId },
    'three days': { ...first, range: days },
    'three days, last page': { ...lastOf(inDays), range: days },
    'from half past nine to a quarter past five': { ...first, range: hours },
    'one game in those hours': { ...first, gameId, range: hours },
    'a phase': { ...first, phase: '77' },
  };
  type Filter = { currentPage: number; pageSize: number; range?: [string, string] };
  const plans = ({ range, ...filter }: Filter) =>
    send(pageDrawPlans.path, { ...filter, startTimeRange: range });
  const records = ({ range, ...filter }: Filter) =>
    send(pageDrawRecords.path, { ...filter, openTimeRange: range });
  const cases = Object.entries<Filter>(filters).flatMap(([name, filter]) => [
    [`plans: ${name}`, () => timed(() => plans(filter))],
    [`records: ${name}`, () => timed(() => records(filter))],
  ]);
  const status = { status: 'OPENED' };
  const found = await interleaved(
    {
      ...Object.fromEntries(cases),
      'plans: a status': () => timed(() => send(pageDrawPlans.path, { ...first, ...status })),
      'plans: one game and status': () =>
        timed(() => send(pageDrawPlans.path, { ...first, ...status, gameId })),
      'plans: a status, last page': () =>
        timed(() => send(pageDrawPlans.path, { ...lastOf(ROWS), ...status })),
      'records: in conflict': () => timed(() => send(pageDrawRecords.path, { ...first, conflict: 'true' })),
    },
    ROUNDS,
  );
  for (const [name, took] of Object.entries(found)) {
    const base = found[`${name.split(':')[0]}: first page`] ?? took;
    const isWhole = name.endsWith(': deep last page');
    tell({
      ...{ what: `${name}, against the first page`, value: took / base, unit: 'times' },
      ...{ goal: isWhole ? { most: 2 } : undefined, note: `${took.toFixed(1)} ms` },
    });
  }
}

/** A day of 1,440 plans of each game, generated and, for other games, copied in bare; in turns. */
async function generation(db: Db, url: string): Promise<void> {
  const raw = postgres(url, { max: 1 });
  const now = new Date();
  const day = addDays(dayOf(now.getTime() / 1000, ZONE), 1);
  const from = dayStart(day, ZONE);
  const window = { from, to: from + 86_400 };
  const times = { generated: 0, copied: 0 };
  for (let n = 0; n < GAMES; n++) {
    const [ours, bare] = [await buildGame(db, { openRate: 60 }), await buildGame(db, { openRate: 60 })];
    times.generated += await timed(() =>
      db.transaction().execute((tx) => generatePlans(tx, { gameId: ours, window, now })),
    );
    const iso = (minute: number) => new Date((from + minute * 60) * 1000).toISOString();
    const rows = Array.from(
      { length: 1_440 },
      (_, i) => `${bare}\t${1000 + i}\t${iso(i)}\t${iso(i + 1)}\n`,
    ).join('');
    times.copied += await timed(async () => {
      const stream =
        await raw`copy draw_plan ("gameId", phase, "startTime", "endTime") from stdin`.writable();
      await new Promise<void>((resolve, reject) =>
        stream.on('finish', resolve).on('error', reject).end(rows),
      );
    });
  }
  await raw.end();
  const { generated, copied } = times;
  tell({
    ...{ what: `1,440 plans of ${GAMES} games, against COPY`, value: generated / copied, unit: 'times' },
    ...{ goal: { most: 3 }, note: `${generated.toFixed(0)} ms and ${copied.toFixed(0)} ms` },
  });
}

const kept = process.env.BENCH_DIR;
const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'back-office-bench-'));
const server = await startOwnPostgres({ dataDir });
const db = connect(server.ownerUrl, { timeZone: ZONE, patient: true, max: 4 });
try {
  await migrate(db);
  const { rows } = await sql<{ gameId: number }>`
    select distinct "gameId" from draw_record order by "gameId"`.execute(db);
  const games = rows.map(({ gameId }) => gameId);
  if (games.length === 0) {
    while (games.length < GAMES) games.push(await buildGame(db));
    console.log(`filled in ${((await timed(() => fill(db, games))) / 1000).toFixed(0)} s`);
  }
  if (process.env.ONLY !== 'fill') {
    const { send, stop } = await startServer(db);
    await lists(send, games[0] ?? 0);
    await stop();
    await generation(db, server.ownerUrl);
  }
} finally {
  await db.destroy();
  await server.stop();
  if (!kept) rmSync(dataDir, { recursive: true, force: true });
}
