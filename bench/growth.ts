import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { pageAccountHistory } from '#contract/account-history.ts';
import { pageAccounts } from '#contract/accounts.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageDeposits } from '#contract/deposits.ts';
import { pageDrawPlans } from '#contract/draw-plans.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { pageOutboxMails } from '#contract/mail-outbox.ts';
import { requestFor, type WireRequest } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { pageSlips } from '#contract/slips.ts';
import { pageUsers } from '#contract/users.ts';
import { connect, type Db } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import { Computing, computedBy } from './computing.ts';
import { tell } from './figures.ts';
import { buildGrown, type Size } from './growth-data.ts';
import { interleaved, median } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { untilSealed } from './process-per-core.ts';

/*
 * Every big list with ten times the rows, against itself at a tenth: two databases and two servers, asked in turns, one call after the other.
 * Goal: at most 1.2 times. At full size 50,000,000 rows of the ledger, 10,000,000 slips and 5,000,000 of each other kind, which takes more than an
 * hour and 40 GB; BENCH_SCALE makes it smaller, BENCH_ROUNDS shorter, BENCH_DIR keeps the data.
 */
const scale = Number(process.env.BENCH_SCALE ?? 1);
const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const CALLS = 15;
const full: Size = { ledger: 50_000_000 * scale, slips: 10_000_000 * scale, others: 5_000_000 * scale };
const tenth: Size = { ledger: full.ledger / 10, slips: full.slips / 10, others: full.others / 10 };

const dataDir = resolve(process.env.BENCH_DIR ?? `data/bench-${process.pid}`);
const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const week: [string, string] = [`${day(7)} 00:00:00`, `${day(0)} 23:59:59`];

/** What is asked of each list; the page in the middle is that of `rows`. */
const asked = ({ ledger, slips, others }: Size): Readonly<Record<string, WireRequest>> => {
  const of = <E extends AnyEndpoint>(endpoint: E, filter: object = {}) =>
    requestFor<AnyEndpoint>(endpoint, { currentPage: 1, pageSize: 20, ...filter });
  const middle = (rows: number) => ({ currentPage: Math.floor(rows / 40) });
  return {
    ledger: of(pageAccountHistory),
    'ledger, the middle': of(pageAccountHistory, middle(ledger)),
    'ledger, a type': of(pageAccountHistory, { changeType: 'WIN' }),
    slips: of(pageSlips),
    'slips, the middle': of(pageSlips, middle(slips)),
    'slips, a status': of(pageSlips, { status: 'WON' }),
    deposits: of(pageDeposits),
    'deposits, the middle': of(pageDeposits, middle(others)),
    'deposits, a week': of(pageDeposits, { createTimeRange: week }),
    plans: of(pageDrawPlans),
    'plans, the middle': of(pageDrawPlans, middle(others)),
    users: of(pageUsers),
    accounts: of(pageAccounts),
    'change record': of(pageChangeRecords),
    'sign-ins': of(pageLoginRecords),
    mails: of(pageOutboxMails),
  };
};

const sessionOf = (url: string): Db => connect(url, { timeZone: 'Asia/Shanghai', max: 1, patient: true });

/** A database of that size with a server over it, and how long it takes with each list, in milliseconds. */
async function grown(name: string, size: Size) {
  const folder = join(dataDir, name);
  mkdirSync(folder, { recursive: true });
  const pg = await startOwnPostgres({ dataDir: folder });
  const [db, beside] = [sessionOf(pg.ownerUrl), sessionOf(pg.ownerUrl)];
  await migrate(db);
  const { rows } = await sql`select from account_history limit 1`.execute(db);
  const began = performance.now();
  if (rows.length === 0) await buildGrown(db, beside, size);
  await beside.destroy();
  console.log(
    `${name}: ${size.ledger} rows of the ledger after ${Math.round((performance.now() - began) / 1_000)} s`,
  );
  const program = await startProgram({ DATABASE_URL: pg.ownerUrl });
  await untilSealed(db);
  console.log(`${name}: sealed after ${Math.round((performance.now() - began) / 1_000)} s`);
  const took = async ({ method, url, contentType, body }: WireRequest, authorization: string) => {
    const headers = { authorization, ...(contentType ? { 'content-type': contentType } : {}) };
    const times: number[] = [];
    while (times.length < CALLS) {
      const start = performance.now();
      const answer = await (await fetch(program.origin + url, { method, headers, body })).text();
      times.push(performance.now() - start);
      if (!answer.startsWith('{"success":true')) throw new Error(`${url}: ${answer.slice(0, 200)}`);
    }
    return median(times);
  };
  return {
    /** Signs in, which lasts for as long as lists are asked for and not while another database is built. */
    lists: async () => {
      const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
      const { envelope } = await testClient(program.origin).call(login, { username, password });
      const authorization = `Bearer ${envelope.data?.access_token}`;
      const lists = Object.entries(asked(size));
      return Object.fromEntries(
        lists.map(([list, request]) => {
          const cost = new Computing(() => computedBy(Number(program.process.pid)));
          return [list, { cost, took: () => cost.ofCalls(db, CALLS, () => took(request, authorization)) }];
        }),
      );
    },
    end: async () => {
      await program.end('SIGTERM');
      await db.destroy();
      await pg.stop();
    },
  };
}

const small = await grown('tenth', tenth);
const large = await grown('full', full);
const atTenths = await small.lists();
for (const [list, atFull] of Object.entries(await large.lists())) {
  const atTenth = atTenths[list] ?? atFull;
  const { one = 0, ten = 0 } = await interleaved({ one: atTenth.took, ten: atFull.took }, rounds);
  tell({
    ...{ what: `${list}: with ten times the rows`, value: ten / one, unit: 'times', goal: { most: 1.2 } },
    note: `${one.toFixed(1)} ms and ${ten.toFixed(1)} ms; computing of server and database ${atTenth.cost} and ${atFull.cost}`,
  });
}
await small.end();
await large.end();
if (!process.env.BENCH_DIR) rmSync(dataDir, { recursive: true, force: true });
