import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checksumOf, type Landing, readLandings, readMigrations } from '#server/db/migration-files.ts';
import { splitLandings } from './landings.ts';

const MEND = 'run `npm run migrations`';
const MIGRATIONS = 'server/db/migrations';

/** Each file is in landed.txt with the text it has, and each that is there is a file. */
function unlikeLandedTxt(folder: URL): string[] {
  const last = new Map(readLandings(folder).map(({ name, checksum }) => [name, checksum]));
  const changed = readMigrations(folder).filter(({ name, checksum }) => last.get(name) !== checksum);
  const gone = [...last.keys()].filter((name) => !existsSync(new URL(name, folder)));
  return [
    ...changed.map(({ name }) => `${name} is not what landed.txt says: ${MEND}`),
    ...gone.map((name) => `${name} is gone: ${MEND}`),
  ];
}

/** From landing to landing numbers grow, so that no name comes twice. */
function shrinkingNumbers(folder: URL): string[] {
  const { head, growing } = splitLandings(folder);
  const old = head.split('\n').map((line) => line.slice(66));
  let highest =
    old
      .filter((name) => /^\d{4}-/.test(name))
      .toSorted()
      .at(-1)
      ?.slice(0, 4) ?? '';
  return growing.flatMap(({ name }) => {
    const before = highest;
    const number = name.slice(0, 4);
    if (number > before) highest = number;
    return number > before ? [] : [`${name} landed after ${before}: ${MEND}`];
  });
}

/** All texts of migrations in the order in which the history brought them to a program that could be started. */
function landingsOfHistory(git: (...args: string[]) => string): Landing[] {
  const main = ['main', 'origin/main'].find((name) =>
    git('branch', '--all', '--list', name, `remotes/${name}`).trim(),
  );
  // Where this work left the main branch: what is on a branch of its own has not landed.
  const landed = main ? git('merge-base', 'HEAD', main).trim() : 'HEAD';
  const whole = ['--first-parent', '--reverse', '--raw', '--no-abbrev', '--no-renames', '--format='];
  const log = git('log', landed, ...whole, '--', `${MIGRATIONS}/*.sql`, 'server/main.ts');
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

const OTHER_HISTORY = `landed.txt and the history of the main branch differ. A new migration that several commits changed is to be
squashed into one before it lands; for one that is missing ${MEND}; one that was edited comes back by
\`git checkout main -- ${MIGRATIONS}/NNNN-name.sql\`. The first that differs: `;

/** The landings are those of the history, text for text and in its order. */
function unlikeHistory(folder: URL): string[] {
  const root = fileURLToPath(new URL('../../../', folder));
  // A folder without history (a download of the sources) is held to landed.txt only.
  if (!existsSync(`${root}.git`)) return [];
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 16_000_000 });
  const held = readLandings(folder);
  const told = landingsOfHistory(git);
  if (told.length === 0) return ['the history tells of no migration'];
  const same = (one: Landing | undefined, { name, checksum }: Landing) =>
    one?.name === name && one.checksum === checksum;
  const shallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
  const other = told.find((landing, place) =>
    shallow ? !held.some((one) => same(one, landing)) : !same(held[place], landing),
  );
  return other ? [`${OTHER_HISTORY}${other.name}`] : [];
}

/**
 * What is wrong with a repository's migrations, a sentence each, with the command that mends it. No text that was once on the main
 * branch may change or go, and a new one has a higher number than all of them.
 */
export const landingFaults = (folder: URL): string[] => [
  ...unlikeLandedTxt(folder),
  ...shrinkingNumbers(folder),
  ...unlikeHistory(folder),
];
