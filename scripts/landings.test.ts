import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checksumOf, type Landing, readLandings, readMigrations } from '#server/db/migration-files.ts';
import { GROWING, LandedMigrationChanged, recordLandings, splitLandings } from './landings.ts';

const ours = new URL('../server/db/migrations/', import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const MEND = 'run `npm run migrations`';
const plain = ({ name, checksum }: Landing): Landing => ({ name, checksum });

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 16_000_000 });

const OTHER_HISTORY = `landed.txt and the history of the main branch differ. A new migration that several commits changed is to be
squashed into one before it lands; for one that is missing ${MEND}; one that was edited comes back by
\`git checkout main -- server/db/migrations/NNNN-name.sql\``;

/** Where this work left the main branch: what is on a branch of its own has not landed. */
function newestLanded(): string {
  const main = ['main', 'origin/main'].find((name) =>
    git('branch', '--all', '--list', name, `remotes/${name}`).trim(),
  );
  return main ? git('merge-base', 'HEAD', main).trim() : 'HEAD';
}

/** All texts of migrations in the order in which the history brought them to a program that could be started. */
function landingsOfHistory(): Landing[] {
  const log = git(
    'log',
    newestLanded(),
    '--first-parent',
    '--reverse',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--format=',
    '--',
    'server/db/migrations/*.sql',
    'server/main.ts',
  );
  const landings: Landing[] = [];
  let program = false;
  for (const line of log.split('\n')) {
    const [, blob = '', change, path = ''] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) (\w)\t(.+)$/.exec(line) ?? [];
    program ||= path === 'server/main.ts';
    const name = path.split('/').at(-1) ?? '';
    if (!name.endsWith('.sql') || change === 'D') continue;
    const landing = { name, checksum: checksumOf(git('cat-file', 'blob', blob)) };
    const earlier = landings.findIndex((one) => one.name === name);
    if (earlier >= 0 && !program) landings[earlier] = landing;
    else if (!landings.some((one) => one.name === name && one.checksum === landing.checksum))
      landings.push(landing);
  }
  return landings;
}

describe('the migrations of this program', () => {
  test('are all in landed.txt, with the texts they have', () => {
    const last = new Map(readLandings(ours).map(({ name, checksum }) => [name, checksum]));
    for (const { name, checksum } of readMigrations(ours))
      expect(last.get(name), `${name} is not what landed.txt says: ${MEND}`).toBe(checksum);
    for (const name of last.keys())
      expect(existsSync(new URL(name, ours)), `${name} is gone: ${MEND}`).toBe(true);
  });

  test('have numbers that grow from landing to landing, and texts that stay', () => {
    const { head, growing } = splitLandings(ours);
    let highest =
      head
        .split('\n')
        .map((line) => line.slice(66))
        .filter((name) => /^\d{4}-/.test(name))
        .sort()
        .at(-1)
        ?.slice(0, 4) ?? '';
    expect(highest >= '0075').toBe(true);
    for (const { name } of growing) {
      expect(name.slice(0, 4) > highest, `${name} landed after ${highest}: ${MEND}`).toBe(true);
      highest = name.slice(0, 4);
    }
  });

  test('landed in the order that the history tells, and none was edited since', () => {
    // A folder without history (a download of the sources) is held to landed.txt by the tests above.
    if (!existsSync(join(root, '.git'))) return;
    const held = readLandings(ours);
    const told = landingsOfHistory();
    if (git('rev-parse', '--is-shallow-repository').trim() === 'true')
      for (const landing of told) expect(held, OTHER_HISTORY).toContainEqual(landing);
    else expect(held.slice(0, told.length), OTHER_HISTORY).toEqual(told);
    expect(told.length).toBeGreaterThan(0);
  });
});

describe('npm run migrations', () => {
  let parent: string;
  let folder: URL;
  const write = (name: string, text: string) => writeFileSync(new URL(name, folder), text);
  const names = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort();

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'landings-'));
    folder = pathToFileURL(join(parent, 'migrations/'));
    mkdirSync(folder);
    mkdirSync(join(parent, 'preparations'));
    write('0001-first.sql', 'select 1;');
    write('landed.txt', `# Before.\n${checksumOf('select 1;')}  0001-first.sql\n${GROWING}\n`);
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  test('adds new files, and follows edits of those that have not landed', () => {
    write('0005-second.sql', 'select 2;');
    recordLandings(folder, []);
    expect(readLandings(folder)).toEqual(readMigrations(folder).map(plain));
    write('0005-second.sql', 'select 3;');
    recordLandings(folder, []);
    expect(readLandings(folder)).toEqual(readMigrations(folder).map(plain));
    expect(readFileSync(new URL('landed.txt', folder), 'utf8')).toContain(`# Before.\n`);
  });

  test('gives files whose number is too low the next free one, with their preparations', () => {
    write('0007-theirs.sql', 'select 7;');
    const landed = recordLandings(folder, []);
    write('0005-ours.sql', 'select 5;');
    write('0006-ours-too.sql', 'select 6;');
    writeFileSync(join(parent, 'preparations/0006-ours-too.sql'), 'select 0;');
    recordLandings(folder, landed);
    expect(names()).toEqual(['0001-first.sql', '0007-theirs.sql', '0008-ours.sql', '0009-ours-too.sql']);
    expect(readdirSync(join(parent, 'preparations'))).toEqual(['0009-ours-too.sql']);
    expect(readLandings(folder).map(({ name }) => name)).toEqual(names());
  });

  test('keeps the order in which the main branch brought them, whatever their numbers', () => {
    write('0007-theirs.sql', 'select 7;');
    write('0009-later.sql', 'select 9;');
    const landed = recordLandings(folder, []).reverse();
    expect(recordLandings(folder, landed)).toEqual(landed);
    write('0008-ours.sql', 'select 8;');
    expect(recordLandings(folder, landed).map(({ name }) => name)).toEqual([
      '0009-later.sql',
      '0007-theirs.sql',
      '0010-ours.sql',
    ]);
  });

  test('renumbers what a merge put after higher numbers', () => {
    write('0007-theirs.sql', 'select 7;');
    const landed = recordLandings(folder, []);
    const merged = readFileSync(new URL('landed.txt', folder), 'utf8');
    write('0005-ours.sql', 'select 5;');
    write('landed.txt', `${merged}${checksumOf('select 5;')}  0005-ours.sql\n`);
    recordLandings(folder, landed);
    expect(names()).toEqual(['0001-first.sql', '0007-theirs.sql', '0008-ours.sql']);
  });

  test.each([
    ['was edited', () => write('0007-theirs.sql', 'select 8;')],
    ['is gone', () => rmSync(new URL('0007-theirs.sql', folder))],
  ])('touches nothing when a landed file %s, and says how to get it back', (what, change) => {
    write('0007-theirs.sql', 'select 7;');
    const landed = recordLandings(folder, []);
    const before = readFileSync(new URL('landed.txt', folder), 'utf8');
    change();
    expect(() => recordLandings(folder, landed)).toThrow(LandedMigrationChanged);
    expect(() => recordLandings(folder, landed)).toThrow(
      new RegExp(
        `0007-theirs.sql has landed and ${what}[^]*git checkout main -- server/db/migrations/0007-theirs.sql`,
      ),
    );
    expect(readFileSync(new URL('landed.txt', folder), 'utf8')).toBe(before);
  });
});
