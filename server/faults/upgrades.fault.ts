import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/sign-in.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { NEVER_STARTED } from '#server/testing/past-program.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { dumpSchema } from '#server/testing/schema-dump.ts';
import { testClient } from '#server/testing/test-client.ts';
import { look, Upgrading } from '#server/testing/upgrading.ts';

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
  const commits = git('rev-list', '--first-parent', '--reverse', `${firstProgram}^..HEAD`)
    .trim()
    .split('\n')
    .filter((commit) => commit !== NEVER_STARTED);
  const newest = filesOf('HEAD');
  const files = new Map(commits.map((commit) => [commit, filesOf(commit)]));
  const last = new Map([...files].map(([commit, text]) => [text, commit]));
  return commits.filter((commit) => {
    const text = files.get(commit) ?? '';
    return !newest.startsWith(text) || last.get(text) === commit;
  });
}

const commits = commitsToUpgrade();
let upgrading: Upgrading;
let schema: string[];

/** Starts the newest program, signs in, and stops it. */
async function startNewest(url: string): Promise<void> {
  const newest = await upgrading.startNewest(url);
  expect((await fetch(`${newest.origin}/readyz`)).status).toBe(200);
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(newest.origin).call(login, { username, password });
  expect(envelope.data?.access_token).toBeTruthy();
  expect(await newest.end('SIGTERM')).toBe(0);
}

beforeAll(async () => {
  upgrading = await Upgrading.begin();
  const url = await upgrading.makeDatabase('fresh');
  await startNewest(url);
  schema = await look(url, dumpSchema);
});
afterAll(() => upgrading.end());

test.each(commits.map((commit) => [commit.slice(0, 7), commit] as const))(
  'the newest program starts on the database of %s',
  async (name, commit) => {
    const url = await upgrading.makeDatabase(`past_${name}`);
    await upgrading.livePast(commit, url, async () => {});
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
