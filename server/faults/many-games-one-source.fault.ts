import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { generatePlans } from '#server/features/draw-plans/generate.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startProgram } from '#server/testing/program.ts';

const ZONE = 'Asia/Shanghai';
const GAMES = 30;
const MINUTES = Number(process.env.FAULT_MINUTES ?? 3);
/** A result comes out at some moment within this time after its draw. */
const DELAY_MS = 5_000;
const WITHIN_SECONDS = 10;
/** What the sources ask for between two requests. */
const PAUSES_MS = { together: 3_000, apart: 200 } as const;
/** A request may take so much longer than another to arrive, which says nothing about when each began: so several in a row are looked at. */
const NOISE_MS = 600;
const IN_A_ROW = 6;

/** A draw as the source will tell it from its moment on. */
interface Published {
  readonly code: string;
  readonly expect: string;
  readonly opencode: string;
  readonly opentime: number;
  readonly at: number;
}

/** A source of many games: all of them at `/`, one phase of one game at `/code?issue=phase`. */
interface Source {
  readonly server: Server;
  readonly origin: string;
  readonly draws: Published[];
  readonly arrivals: number[];
}

async function startSource(): Promise<Source> {
  const draws: Published[] = [];
  const arrivals: number[] = [];
  const server = createServer((request, response) => {
    arrivals.push(Date.now());
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://source');
    const code = pathname.slice(1);
    const data = draws.filter(
      (draw) =>
        draw.at <= Date.now() &&
        (code === '' || (draw.code === code && draw.expect === searchParams.get('issue'))),
    );
    response.end(JSON.stringify({ data: data.map(({ at, ...draw }) => draw) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, draws, arrivals };
}

let dataDir: string;
let postgres: EmbeddedPostgres;
let db: Db;
let sources: { together: Source; apart: Source };
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-sources-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  db = connect(postgres.url, { timeZone: ZONE, max: 4 });
  sources = { together: await startSource(), apart: await startSource() };
});
afterAll(async () => {
  for (const { server } of Object.values(sources)) server.close();
  await db.destroy();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const startServer = () =>
  startProgram({
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    SPIDER_ALLOWED_HOSTS: Object.values(sources)
      .map(({ origin }) => new URL(origin).host)
      .join(),
  });

interface Spider {
  readonly url: string;
  readonly collector: string;
  readonly options: string | null;
  readonly pauseMs: number;
}

/** Games of a minute that all draw at the same moments, each with its spider; what the source will say is laid out. */
async function buildGames(
  source: Source,
  window: { from: number; to: number },
  spiderOf: (code: string) => Spider,
): Promise<number[]> {
  const games: number[] = [];
  for (let n = 0; n < GAMES; n++) {
    const gameId = await buildGame(db, { openRate: 60, status: false, phase: String(n * 10_000) });
    const code = `g${gameId}`;
    const { url, collector, options, pauseMs } = spiderOf(code);
    await sql`insert into spider ("gameId", name, url, "spiderServiceName", options, "pauseMs")
      values (${gameId}, '来源', ${url}, ${collector}, ${options}, ${pauseMs})`.execute(db);
    const plan = { gameId, window, now: new Date(), timeZone: ZONE };
    await db.transaction().execute((tx) => generatePlans(tx, plan));
    const { rows } = await sql<{ phase: string; at: number }>`
      select phase, extract(epoch from "endTime")::float8 as at from draw_plan where "gameId" = ${gameId}`.execute(
      db,
    );
    for (const { phase, at } of rows) {
      const opencode = [1, 2, 3].map(() => Math.floor(Math.random() * 10)).join();
      source.draws.push({
        code,
        expect: phase,
        opencode,
        opentime: at,
        at: at * 1_000 + Math.random() * DELAY_MS,
      });
    }
    games.push(gameId);
  }
  return games;
}

/** How long after each publication its record was there. */
async function delays(source: Source, games: readonly number[]) {
  const { rows } = await sql<{ gameId: number; phase: string; at: number }>`
    select "gameId", phase, extract(epoch from "createTime")::float8 * 1000 as at from draw_record
    where "gameId" = any(${[...games]})`.execute(db);
  const kept = new Map(rows.map(({ gameId, phase, at }) => [`g${gameId}/${phase}`, at]));
  const seconds = source.draws
    .flatMap(({ code, expect, at }) => {
      const record = kept.get(`${code}/${expect}`);
      return record === undefined ? [] : [(record - at) / 1_000];
    })
    .toSorted((a, b) => a - b);
  const quantile = (share: number) => seconds[Math.ceil(seconds.length * share) - 1] ?? Number.NaN;
  return {
    published: source.draws.length,
    kept: seconds.length,
    p50: quantile(0.5),
    p90: quantile(0.9),
    max: quantile(1),
  };
}

/** The shortest time that so many pauses in a row took. */
const leastOfPauses = ({ arrivals }: Source) =>
  Math.min(...arrivals.slice(IN_A_ROW).map((at, place) => at - (arrivals[place] ?? 0)));

it(`${GAMES} one-minute games at one host on two servers: every result is there within ${WITHIN_SECONDS} s of its publication`, {
  timeout: (MINUTES * 60 + 300) * 1_000,
}, async () => {
  const first = await startServer();
  const from = Math.floor(Date.now() / 60_000) * 60 + 60;
  const window = { from, to: from + MINUTES * 60 - 1 };
  const { together, apart } = sources;
  const games = {
    together: await buildGames(together, window, (code) => ({
      url: `${together.origin}/`,
      collector: 'JsonPathSpider',
      options: JSON.stringify({
        list: `$.data[?@.code=='${code}']`,
        phase: '$.expect',
        result: '$.opencode',
        openTime: '$.opentime',
      }),
      pauseMs: PAUSES_MS.together,
    })),
    apart: await buildGames(apart, window, (code) => ({
      url: `${apart.origin}/${code}?issue={phase}`,
      collector: 'OpenCodeSpider',
      options: null,
      pauseMs: PAUSES_MS.apart,
    })),
  };
  const second = await startServer();
  const last = Math.max(...together.draws.map(({ at }) => at), ...apart.draws.map(({ at }) => at));
  await sleep(last + WITHIN_SECONDS * 1_000 - Date.now());
  await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
  const figures = [];
  for (const kind of ['together', 'apart'] as const) {
    const source = sources[kind];
    const found = await delays(source, games[kind]);
    const requests = source.arrivals.length;
    console.log(`${GAMES} games ${kind}:`, { ...found, requests, leastOfPausesMs: leastOfPauses(source) });
    expect(leastOfPauses(source), kind).toBeGreaterThan(IN_A_ROW * PAUSES_MS[kind] - NOISE_MS);
    figures.push(found);
  }
  for (const { published, kept, max } of figures) {
    expect(published).toBe(GAMES * MINUTES);
    expect(kept).toBe(published);
    expect(max).toBeLessThan(WITHIN_SECONDS);
  }
});
