import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { castsOf, circlesOf, isGround, isProgram, isTest, type SourceFile } from './source-facts.ts';

// `npm run measures` tells how large and how knotted the sources are; with a commit's name, how they were there.

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (args: string[], input?: string): Buffer =>
  execFileSync('git', args, { cwd: root, input, maxBuffer: 200_000_000 });

/** All texts of a commit, each after a line that tells its size. */
function readCommit(commit: string, names: readonly string[]): SourceFile[] {
  const all = git(['cat-file', '--batch'], names.map((name) => `${commit}:${name}\n`).join(''));
  let at = 0;
  return names.map((name) => {
    const line = all.indexOf('\n', at);
    const size = Number(all.toString('utf8', at, line).split(' ')[2]);
    at = line + 1 + size + 1;
    return { name, text: all.toString('utf8', line + 1, line + 1 + size) };
  });
}

function readSources(commit: string | undefined): SourceFile[] {
  const list = commit
    ? ['ls-tree', '-r', '--name-only', commit]
    : ['ls-files', '--cached', '--others', '--exclude-standard'];
  const names = git(list)
    .toString()
    .split('\n')
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name));
  return commit
    ? readCommit(commit, names)
    : names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

const lines = ({ text }: SourceFile): number => text.split('\n').length - 1;
const sum = (files: readonly SourceFile[]): string =>
  `${String(files.length).padStart(4)} files ${String(files.reduce((all, file) => all + lines(file), 0)).padStart(6)} lines`;

const FOLDERS = [
  'contract',
  'server/db',
  'server/http',
  'server/access',
  'server/embedded-postgres',
  'server/features',
  'server/jobs',
  'server',
  'console/kit',
  'console/parts',
  'console/screens',
  'console',
  'scripts',
  'bench',
  'docs',
  '',
];
/** The first of the folders that a file lies in. */
const folderOf = ({ name }: SourceFile): string =>
  FOLDERS.find((folder) => name.startsWith(folder ? `${folder}/` : '')) ?? '';

/** Nouns that are rows to add, change and remove, and little else. */
const PLAIN =
  /^server\/features\/(news|game-categories|games|game-numbers|play-ways|play-way-categories|odds|bet-latitudes|spiders|roles|menus|operators|param-settings)\//;
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const sources = readSources(process.argv[2]);
const program = sources.filter(({ name }) => isProgram(name));
const say = (what: string, value: string | number): void => console.log(`${what.padEnd(44)} ${value}`);

for (const folder of FOLDERS) {
  const within = sources.filter((file) => folderOf(file) === folder && !isTest(file.name));
  say(folder || 'settings', sum(within));
}
say('tests', sum(sources.filter(({ name }) => isTest(name))));
say('all', sum(sources));
say('median lines of a file of the program', median(program.map(lines)));
say(
  'files of more than 300 lines',
  sources
    .filter((file) => lines(file) > 300)
    .map(({ name }) => name)
    .join(', ') || 'none',
);

const plain = program.filter(({ name }) => PLAIN.test(name));
say('plain nouns: stores', sum(plain.filter(({ name }) => name.endsWith('-store.ts'))));
say('plain nouns: handlers', sum(plain.filter(({ name }) => name.endsWith('-handlers.ts'))));
say('plain nouns: all', sum(plain));

const circles = circlesOf(sources);
say('circles between feature folders', circles.length);
for (const circle of circles) console.log(`  ${circle.join(', ')}`);

const casts = program.filter(({ name }) => !isGround(name)).flatMap(castsOf);
say('casts outside console/kit, server/http, server/db', casts.length);
for (const { name, line, text } of casts) console.log(`  ${name}:${line}  ${text.slice(0, 90)}`);
