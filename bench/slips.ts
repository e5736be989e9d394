import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { placeBet } from '#contract/platform-bets.ts';
import { requestFor, type WireRequest } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { pageSlips } from '#contract/slips.ts';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { buildBetting } from '#server/testing/build-betting.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import { tell } from './figures.ts';
import type { Load } from './load.ts';
import { interleaved, loadOnce } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { pgbenchRate } from './pgbench.ts';
import { buildSlips } from './slip-data.ts';

/*
 * Slips a second at 16 connections, through the players' site's call, against pgbench running the transaction of before slips were gathered,
 * and the one statement of now (goal 0.5), without limits and with one on a hot number (goal 0.25); and lists of 10,000,000 slips against
 * their first page (goal 2). BENCH_SCALE=0.1 builds a tenth, BENCH_ROUNDS and BENCH_SECONDS make it
 * shorter, BENCH_ONLY=placing|lists does one part, BENCH_DIR keeps the data.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const scale = Number(process.env.BENCH_SCALE ?? 1);
const CONNECTIONS = 16;
const accounts = Math.max(1_000, Math.round(20_000 * scale));
const KEY = 'platform-key-of-the-bench-of-slips';

const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
mkdirSync(dataDir, { recursive: true });
const pg = await startOwnPostgres({ dataDir });
const db = connect(pg.ownerUrl, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
await migrate(db);
const betting = await buildBetting(db, { to: 86_400 * 30 });
await sql`
  with added as (insert into player ("nickName") select 'p' || g from generate_series(1, ${accounts}::int) g returning id)
  insert into account ("userId", "totalAmount", "availableAmount") select id, 1000000.00, 1000000.00 from added order by id`.execute(
  db,
);
const { rows: ends } = await sql<{ first: number; last: number }>`
  select min("userId") as first, max("userId") as last from account where "totalAmount" = 1000000`.execute(
  db,
);
const firstUser = ends[0]?.first ?? 1;
await sql`analyze`.execute(db);

const program = await startProgram({ DATABASE_URL: pg.ownerUrl, PLATFORM_API_KEY: KEY });
const client = testClient(program.origin);
const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
const token = (await client.call(login, { username, password })).envelope.data?.access_token ?? '';

const loadOf = ({ method, url, contentType, body }: WireRequest, bearer: string) => ({
  ...{ url: program.origin + url, method, body: body ?? '', seconds },
  headers: { authorization: `Bearer ${bearer}`, ...(contentType ? { 'content-type': contentType } : {}) },
});

interface Kept {
  readonly rules: number;
  readonly version: number;
  readonly epoch: number;
}

/** A slip as the transaction of before, for a player and a number of its own each time. */
const former = ({
  rules,
  version,
  epoch,
}: Kept): string => `select * from former_slip(${firstUser} + :account, gen_random_uuid()::text,
  ${betting.gameId}, '${betting.phase}', 'SAME', '\\x00', ${version}, to_timestamp(${epoch}), array[${betting.bigSmall}]::bigint[],
  array[${rules}]::bigint[], array['大'], array[1], array[1]::numeric[], array['"1.98"'], array[1.98]::numeric[]);`;

/** The same as the very statement that placing sends, which is the whole transaction. */
const single = ({
  rules,
  version,
  epoch,
}: Kept): string => `select * from place_slips(array[${firstUser} + :account]::bigint[],
  array[gen_random_uuid()::text], array[${betting.gameId}]::bigint[], array['${betting.phase}'], array['SAME'], array['\\x00']::bytea[],
  array[${version}]::bigint[], array[${epoch}]::float8[], array[false], array[false], array[1], array[${betting.bigSmall}]::bigint[],
  array[${rules}]::bigint[], array['大'], array[1], array[1]::numeric[], array['"1.98"'], array[1.98]::numeric[], false);`;

async function scripted(statement: (kept: Kept) => string): Promise<string> {
  const { rows } = await sql<Kept>`
    select l."rulesId" as rules, c.version, extract(epoch from s."drawTime")::float8 as epoch
    from slip s join slip_line l on l."slipId" = s.id join game_catalogue c on c."gameId" = s."gameId"
    where s."gameId" = ${betting.gameId} limit 1`.execute(db);
  if (!rows[0]) throw new Error('no slip to copy');
  const file = join(tmpdir(), `${statement.name}-slip-${process.pid}.pgbench`);
  writeFileSync(
    file,
    `\\set account random(0, :accounts - 1)\n${statement(rows[0]).replaceAll('\n', ' ')}\n`,
  );
  return file;
}

async function placing(): Promise<void> {
  await sql`${sql.raw(readFileSync(new URL('former-slip.sql', import.meta.url), 'utf8'))}`.execute(db);
  const wanted = (bizNo: string, userId: number) => ({
    ...{ userId, gameId: betting.gameId, phase: betting.phase, bizNo },
    lines: [{ playWayId: betting.bigSmall, selection: '大', unitStake: '1', odds: '1.98' }],
  });
  const first = await testClient(program.origin, KEY).call(placeBet, wanted('first', firstUser));
  if (!first.envelope.success) throw new Error(String(first.envelope.msg));
  const request = loadOf(requestFor(placeBet, wanted('{key}', 987_654_321)), KEY);
  const spread: Load['filled'] = { key: '{key}', number: '987654321', from: firstUser, count: accounts };
  const ours = () => loadOnce({ ...request, connections: CONNECTIONS, filled: spread });
  const pgbench = (script: string) => () =>
    pgbenchRate({ url: pg.ownerUrl, script, accounts, connections: CONNECTIONS, seconds });
  const scripts = [await scripted(former), await scripted(single)] as const;
  const rates = await interleaved({ former: pgbench(scripts[0]), single: pgbench(scripts[1]), ours }, rounds);
  const { former: before = 0, single: now = 0, ours: placed = 0 } = rates;
  tell({
    ...{
      what: `slips at ${CONNECTIONS} connections, against pgbench with the transaction of before`,
      value: placed / before,
    },
    ...{ unit: 'of its rate', goal: { least: 0.5 } },
    note: `pgbench ${before.toFixed(0)}/s, with the one statement ${now.toFixed(0)}/s, through the server ${placed.toFixed(0)}/s`,
  });
  for (const script of scripts) rmSync(script);
  // Without a limit the transaction of before is the same thing; with one the catalogue has another version.
  await sql`insert into bet_limit ("gameId", "maxNumberPayout") values (${betting.gameId}, 100000000)`.execute(
    db,
  );
  const script = await scripted(former);
  const limited = await interleaved({ former: pgbench(script), ours }, rounds);
  await sql`delete from bet_limit where "gameId" = ${betting.gameId}`.execute(db);
  rmSync(script);
  const ratio = (limited.ours ?? 0) / (limited.former ?? 1);
  tell({
    ...{
      what: 'slips with a limit on the one number, against pgbench without it',
      value: ratio,
      unit: 'of its rate',
    },
    ...{ goal: { least: 0.25 }, note: `${limited.former?.toFixed(0)}/s and ${limited.ours?.toFixed(0)}/s` },
  });
}

async function lists(): Promise<void> {
  const count = Math.round(10_000_000 * scale);
  await buildSlips(db, { betting, count, firstUser, accounts }, (line) => console.log(line));
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const range: [string, string] = [`${day(60)} 10:20:30`, `${day(20)} 21:10:05`];
  const { gameId, bigSmall } = betting;
  const asked = {
    'first page + total of everything': {},
    'one player': { userId: firstUser + 7 },
    'one game': { gameId },
    'one status': { status: 'HELD' },
    'one game and status': { gameId, status: 'WON' },
    'one phase': { gameId, phase: `b${Math.floor(count / 20_000)}` },
    'one play way': { playWayId: bigSmall },
    '40 days of one status': { status: 'WON', createTimeRange: range },
    'deepest page': { currentPage: Math.floor(count / 20) },
    'deepest page of one play way': { playWayId: bigSmall, currentPage: Math.floor(count / 20) },
  } as const;
  const loads = Object.entries(asked).map(
    ([name, filter]) => [name, loadOf(requestFor(pageSlips, filter), token)] as const,
  );
  const rates = await interleaved(
    Object.fromEntries(
      loads.map(([name, load]) => [name, () => loadOnce({ ...load, connections: CONNECTIONS, seconds: 2 })]),
    ),
    rounds,
  );
  const first = rates['first page + total of everything'] ?? 0;
  for (const [name, rate] of Object.entries(rates))
    tell({
      ...{ what: `slips: ${name}, against the first page`, value: first / rate, unit: 'times' },
      ...{ goal: { most: 2 }, note: `${rate.toFixed(0)}/s of ${count} slips` },
    });
}

const parts = { placing, lists };
for (const [name, run] of Object.entries(parts)) if ((process.env.BENCH_ONLY ?? name) === name) await run();

await program.end('SIGTERM');
await db.destroy();
await pg.stop();
if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
