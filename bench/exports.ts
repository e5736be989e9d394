import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import postgres from 'postgres';
import { pageAccountHistory } from '#contract/account-history.ts';
import { type ExportFormat, exportFormats, PROGRESS_HEADER } from '#contract/export-formats.ts';
import { requestFor } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import type { Calm } from './calm.ts';
import { tell } from './figures.ts';
import { buildLedger, buildPlayers } from './ledger-data.ts';
import { median } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * The whole ledger as a file, against COPY of the same rows, in turns; and how long the first page of it takes somebody else meanwhile, against
 * its quiet time; then the file once more with nobody at a list. Goals: within 1.5 times the COPY, and lists not slower than 1.3 times. BENCH_SCALE and BENCH_ROUNDS make it shorter,
 * BENCH_DIR keeps the data;
 * BENCH_FORMER names a tree of a former version, whose server is measured in the same rounds.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const rows = Math.round(1_000_000 * Number(process.env.BENCH_SCALE ?? 1));
const QUIET_MS = 4_000;

const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
mkdirSync(dataDir, { recursive: true });
const pg = await startOwnPostgres({ dataDir });
const owner = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
await migrate(owner);
const { rows: found } = await sql`select from account_history limit 1`.execute(owner);
if (found.length === 0) {
  const players = Math.max(10, rows / 200);
  await buildPlayers(owner, players);
  await buildLedger(owner, rows, players);
}
const serverOf = (cwd?: string): Promise<Program> =>
  startProgram({ DATABASE_URL: pg.ownerUrl }, [process.execPath, 'server/main.ts'], cwd);
const program = await serverOf();
const former = process.env.BENCH_FORMER ? await serverOf(process.env.BENCH_FORMER) : undefined;
const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
const signedIn = await testClient(program.origin).call(login, { username, password });
const authorization = `Bearer ${signedIn.envelope.data?.access_token}`;
const list = requestFor(pageAccountHistory, { currentPage: 1, pageSize: 20 });
const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };

const bare = postgres(pg.ownerUrl, { max: 1, connection: { TimeZone: 'Asia/Shanghai' } });
const COPIED = `copy (select h.id, h."userId", p.username, p."nickName", h."originAmount", h.amount, h."newAmount", h.direction, h."changeType",
  h."bizOrderNo", h."desc", h."createTime" from account_history h join player p on p.id = h."userId" order by h.id desc) to stdout csv`;

async function drained(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
}

const copied = async (): Promise<number> => drained(await bare.unsafe(COPIED).readable());

/** What the console's browser takes over HTTPS and at home. */
const BROWSER_TAKES = 'gzip, deflate, br, zstd';

/**
 * The file as the console takes it, or packed as other programs may; gives the bytes that came. They are thrown away as they are: who reads a
 * file has a machine of their own, and unpacking there takes nothing from the server.
 */
async function exported({ origin }: Program, format: ExportFormat, packed = false): Promise<number> {
  const { method, url, body } = requestFor(pageAccountHistory, {});
  const how: Record<string, string> = packed
    ? { 'accept-encoding': 'gzip' }
    : { 'accept-encoding': BROWSER_TAKES, [PROGRESS_HEADER]: '1' };
  const asked = request(origin + url, {
    method,
    headers: { ...headers, accept: exportFormats[format], ...how },
  });
  asked.end(String(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`an export answered with ${answer.statusCode}`);
  return drained(answer);
}

interface Taken {
  readonly seconds: number;
  /** With nobody at a list. */
  readonly alone: number;
  /** Of the list, at half and at 95 of 100 calls. */
  readonly p50: number;
  readonly p95: number;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/** How long work takes, and the list of the same server meanwhile. */
async function beside(server: Program, work: () => Promise<unknown>): Promise<Omit<Taken, 'alone'>> {
  const child = fork(fileURLToPath(new URL('calm.ts', import.meta.url)));
  child.send({ url: server.origin + list.url, headers, body: String(list.body), pauseMs: 10 } satisfies Calm);
  await sleep(300);
  const seconds = await secondsOf(work);
  child.send('stop');
  const [times] = (await once(child, 'message')) as [number[]];
  const sorted = times.toSorted((a, b) => a - b);
  return { seconds, p50: median(sorted), p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN };
}

const worksOf = (server: Program) => ({
  quiet: () => sleep(QUIET_MS),
  copy: copied,
  csv: () => exported(server, 'csv'),
  xlsx: () => exported(server, 'xlsx'),
  packed: () => exported(server, 'csv', true),
});
type Work = keyof ReturnType<typeof worksOf>;
type All = Record<Work, Taken[]>;

/** Everything once, beside one server. */
async function round(name: string, server: Program, taken: All, counts: boolean): Promise<void> {
  const works = worksOf(server);
  for (const work of Object.keys(works) as Work[]) {
    const alone = work === 'quiet' ? 0 : await secondsOf(works[work]);
    const one = { ...(await beside(server, works[work])), alone };
    console.log(
      `${name} ${work}: ${alone.toFixed(1)} s alone, ${one.seconds.toFixed(1)} s beside a list, its p50 ${one.p50.toFixed(1)} ms, p95 ${one.p95.toFixed(1)} ms, load ${loadavg()[0]?.toFixed(1)}`,
    );
    if (counts) taken[work].push(one);
  }
}

function tellAll(taken: All): void {
  const of = (work: Work, what: keyof Taken): number => median(taken[work].map((one) => one[what]));
  const [copy, quiet] = [of('copy', 'seconds'), of('quiet', 'p50')];
  for (const work of ['csv', 'xlsx', 'packed'] as const) {
    const name = work === 'packed' ? 'csv, packed on the way' : work;
    const [seconds, p50] = [of(work, 'seconds'), of(work, 'p50')];
    tell({
      ...{ what: `${rows} rows as ${name}, against COPY`, value: seconds / copy, unit: 'times' },
      ...{ goal: { most: 1.5 }, note: `${seconds.toFixed(1)} s and ${copy.toFixed(1)} s` },
    });
    const [alone, copyAlone] = [of(work, 'alone'), of('copy', 'alone')];
    tell({
      ...{ what: `${rows} rows as ${name} with nobody at a list, against COPY`, unit: 'times' },
      ...{ value: alone / copyAlone, goal: { most: 1.5 } },
      note: `${alone.toFixed(1)} s and ${copyAlone.toFixed(1)} s`,
    });
    tell({
      ...{
        what: `a list beside the export (${name}), against its quiet p50`,
        value: p50 / quiet,
        unit: 'times',
      },
      ...{ goal: { most: 1.3 }, note: `${p50.toFixed(1)} ms and ${quiet.toFixed(1)} ms` },
    });
  }
  const besideCopy = of('copy', 'p50') / quiet;
  tell({ what: 'a list beside the bare COPY, against its quiet p50', value: besideCopy, unit: 'times' });
}

const none = (): All => ({ quiet: [], copy: [], csv: [], xlsx: [], packed: [] });
const [taken, before] = [none(), none()];
try {
  // The first round warms up.
  for (let at = 0; at <= rounds; at++) {
    await round('now', program, taken, at > 0);
    if (former) await round('before', former, before, at > 0);
  }
  if (former) console.log('before:');
  if (former) tellAll(before);
  if (former) console.log('now:');
  tellAll(taken);
} finally {
  await program.end('SIGTERM');
  await former?.end('SIGTERM');
  await bare.end();
  await owner.destroy();
  await pg.stop();
  if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
}
