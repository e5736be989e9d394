import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { PastPrograms } from '#server/testing/past-program.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { testClient } from '#server/testing/test-client.ts';

// Each program of the past makes its database by a real start, with sample data; then the newest one starts on it. Programs whose
// files the newest one applied first, in this order, differ in nothing else: the last of each such kind stands for them.
// UPGRADES_FROM=… takes one commit alone.

const root = fileURLToPath(new URL('../..', import.meta.url));
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 });

/** The texts of a commit's migrations, told by name and content. */
const filesOf = (commit: string): string =>
  git('ls-tree', commit, 'server/db/migrations/')
    .split('\n')
    .filter((line) => line.endsWith('.sql'))
    .map((line) => line.replace(/^\d+ blob /, ''))
    .join('\n');

function commitsToUpgrade(): string[] {
  if (process.env.UPGRADES_FROM) return [process.env.UPGRADES_FROM];
  // Before there was `npm start` there was no database either.
  const firstProgram = git('log', '-S"start":', '--format=%H', '--', 'package.json')
    .trim()
    .split('\n')
    .at(-1);
  const commits = git('rev-list', '--first-parent', '--reverse', `${firstProgram}^..HEAD`).trim().split('\n');
  const newest = filesOf('HEAD');
  const files = new Map(commits.map((commit) => [commit, filesOf(commit)]));
  const last = new Map([...files].map(([commit, text]) => [text, commit]));
  return commits.filter((commit) => {
    const text = files.get(commit) ?? '';
    return !newest.startsWith(text) || last.get(text) === commit;
  });
}

const commits = commitsToUpgrade();
const environment = { SAMPLE_DATA: 'true' };

const programs = new PastPrograms();
let postgres: ExternalPostgres;
let schema: string[];

/** Makes a database of its own, and gives its owner's address. */
async function makeDatabase(name: string): Promise<string> {
  const admin = connect(postgres.adminUrl, { timeZone: 'UTC', max: 1 });
  const url = new URL(postgres.ownerUrl);
  await sql.raw(`create database ${name} owner ${url.username}`).execute(admin);
  await admin.destroy();
  url.pathname = name;
  return url.href;
}

async function look<T>(url: string, at: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(url, { timeZone: 'Asia/Shanghai', max: 2, patient: true });
  try {
    return await at(db);
  } finally {
    await db.destroy();
  }
}

/** Starts the program as it was at the commit until it listens, and kills it. */
async function startPast(commit: string, url: string): Promise<void> {
  const folder = programs.layOut(commit);
  const past = await startProgram(
    { ...environment, DATABASE_URL: url, DATA_DIR: join(folder, 'data') },
    [process.execPath, 'server/main.ts'],
    folder,
  );
  await past.end('SIGKILL');
  rmSync(folder, { recursive: true });
}

/** Starts the newest program, signs in, and stops it. */
async function startNewest(url: string): Promise<void> {
  const server = Object.assign(new URL(postgres.url), { pathname: new URL(url).pathname });
  const addresses = { DATABASE_URL: server.href, DATABASE_OWNER_URL: url };
  const newest = await startProgram({ ...environment, ...addresses });
  expect((await fetch(`${newest.origin}/readyz`)).status).toBe(200);
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(newest.origin).call(login, { username, password });
  expect(envelope.data?.access_token).toBeTruthy();
  expect(await newest.end('SIGTERM')).toBe(0);
}

beforeAll(async () => {
  postgres = await externalPostgres();
  const url = await makeDatabase('fresh');
  await startNewest(url);
  schema = await look(url, dumpSchema);
});
afterAll(async () => {
  programs.remove();
  await postgres.remove();
});

test.each(commits.map((commit) => [commit.slice(0, 7), commit] as const))(
  'the newest program starts on the database of %s',
  async (name, commit) => {
    const url = await makeDatabase(`past_${name}`);
    await startPast(commit, url);
    await startNewest(url);
    await look(url, async (db) => {
      expect(await dumpSchema(db)).toEqual(schema);
      await expectProven(db);
    });
  },
);

test('these are all databases that need more than files in order', () => {
  console.log(`${commits.length} commits`);
  if (!process.env.UPGRADES_FROM) expect(commits.length).toBeGreaterThanOrEqual(51);
});
