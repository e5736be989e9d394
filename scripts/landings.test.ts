import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checksumOf, type Landing, readLandings, readMigrations } from '#server/db/migration-files.ts';
import { landingFaults } from './landing-faults.ts';
import { GROWING, LandedMigrationChanged, recordLandings, splitLandings } from './landings.ts';

const ours = new URL('../server/db/migrations/', import.meta.url);
const plain = ({ name, checksum }: Landing): Landing => ({ name, checksum });

test('the migrations of this program are what landed, in the order in which they landed', () => {
  expect(landingFaults(ours)).toEqual([]);
  // The mark from which numbers grow stays where it is.
  expect(splitLandings(ours).growing[0]?.name).toBe('0080-draw-order.sql');
});

const otherHistory = expect.stringMatching(/history of the main branch differ.*0007-second\.sql$/s);

describe('a history of migrations', () => {
  let root: string;
  let folder: URL;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], { cwd: root });
  const write = (name: string, text: string) => writeFileSync(new URL(name, folder), text);
  const land = (subject: string) => {
    git('add', '.');
    git('commit', '--quiet', '--message', subject);
  };
  /** landed.txt as it would be written by somebody who minds no rule. */
  const enter = (...landings: [name: string, text: string][]) => {
    const [first = '', ...growing] = landings.map(([name, text]) => `${checksumOf(text)}  ${name}\n`);
    write('landed.txt', `${first}${GROWING}\n${growing.join('')}`);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'landings-'));
    folder = pathToFileURL(join(root, 'server/db/migrations/'));
    mkdirSync(folder, { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(root, 'server/main.ts'), '');
    write('0001-first.sql', 'select 1;');
    write('0007-second.sql', 'select 7;');
    enter(['0001-first.sql', 'select 1;'], ['0007-second.sql', 'select 7;']);
    land('Begin');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('may grow by a file with a higher number', () => {
    write('0008-third.sql', 'select 8;');
    enter(['0001-first.sql', 'select 1;'], ['0007-second.sql', 'select 7;'], ['0008-third.sql', 'select 8;']);
    expect(landingFaults(folder)).toEqual([]);
    land('Grow');
    expect(landingFaults(folder)).toEqual([]);
  });

  test('has no landed file edited, whatever landed.txt says, before it is committed and after', () => {
    write('0007-second.sql', 'select 77;');
    expect(landingFaults(folder)).toEqual([
      '0007-second.sql is not what landed.txt says: run `npm run migrations`',
    ]);
    enter(['0001-first.sql', 'select 1;'], ['0007-second.sql', 'select 77;']);
    expect(landingFaults(folder)).toEqual([otherHistory]);
    git('checkout', '--quiet', '-b', 'work');
    land('Edit on a branch');
    expect(landingFaults(folder)).toEqual([otherHistory]);
    git('branch', '--force', 'main', 'work');
    expect(landingFaults(folder)).toEqual([otherHistory]);
    enter(
      ['0001-first.sql', 'select 1;'],
      ['0007-second.sql', 'select 7;'],
      ['0007-second.sql', 'select 77;'],
    );
    expect(landingFaults(folder)).toEqual(['0007-second.sql landed after 0007: run `npm run migrations`']);
  });

  test('loses no landed file', () => {
    rmSync(new URL('0007-second.sql', folder));
    expect(landingFaults(folder)).toEqual(['0007-second.sql is gone: run `npm run migrations`']);
    enter(['0001-first.sql', 'select 1;']);
    land('Forget');
    expect(landingFaults(folder)).toEqual([otherHistory]);
  });

  test('takes no lower number, wherever landed.txt puts it', () => {
    write('0005-late.sql', 'select 5;');
    enter(['0001-first.sql', 'select 1;'], ['0007-second.sql', 'select 7;'], ['0005-late.sql', 'select 5;']);
    expect(landingFaults(folder)).toEqual(['0005-late.sql landed after 0007: run `npm run migrations`']);
    land('Come late');
    expect(landingFaults(folder)).toEqual(['0005-late.sql landed after 0007: run `npm run migrations`']);
    enter(['0001-first.sql', 'select 1;'], ['0005-late.sql', 'select 5;'], ['0007-second.sql', 'select 7;']);
    expect(landingFaults(folder)).toEqual([otherHistory]);
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
