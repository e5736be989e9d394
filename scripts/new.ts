/**
 * Writes a new noun: contract, table, screen and test, and enters its screen in the menu.
 * `npm run new -- announcement 公告 /main/news/announcement`, with the plural behind where it is no regular one; see docs/adding-a-screen.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesOf, type Named, namesOf, pluralOf } from './new-files.ts';
import { englishOf, takenOf, withScreen, withTexts } from './new-lines.ts';
import { stop } from './stop.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const USAGE = `usage: npm run new -- <name> <中文名> </main/folder/route> [plural], as in announcement 公告 /main/news/announcement
or person 人员 /main/user/person people; a name is letters (twoWords), the Chinese one Chinese characters alone, a route small letters and hyphens`;

function nextMigration(): string {
  const numbers = readdirSync(`${root}server/db/migrations`).map((file) =>
    Number(/^\d{4}/.exec(file)?.[0] ?? 0),
  );
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

const isName = (text: string): boolean => /^[a-z][A-Za-z]{1,40}$/.test(text);

function namedBy([name = '', title = '', path = '', plural = pluralOf(name)]: readonly string[]): Named {
  const isRoute = /^\/main\/[a-z-]+\/[a-z-]+$/.test(path);
  if (
    !isName(name) ||
    !isName(plural) ||
    plural === name ||
    !/^\p{Script=Han}{1,20}$/u.test(title) ||
    !isRoute
  )
    stop(USAGE);
  return namesOf({ name, plural, title, path, migration: nextMigration() });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(root + path), { recursive: true });
  writeFileSync(root + path, text);
}

function tell(path: string): void {
  const lines = readFileSync(root + path, 'utf8')
    .trimEnd()
    .split('\n').length;
  console.log(`${path}: ${lines} lines`);
}

const named = namedBy(process.argv.slice(2));
const files = filesOf(named);
const known = Object.keys(files).filter((path) => existsSync(root + path));
const taken = new Set([...known, ...takenOf(named)]);
if (taken.size > 0)
  stop(`${[...taken].join(', ')} is there already: choose another name or route, or change what has it`);
const menu = 'contract/screens.ts';
const menus = readFileSync(root + menu, 'utf8');
if (menus.includes(`'${named.path}'`)) stop(`${named.path} is there already`);
const english = englishOf(named);
const catalogues = Object.fromEntries(
  Object.keys(english).map((path) => [path, readFileSync(root + path, 'utf8')]),
);
const screens = withScreen(menus, named);
if (!screens) stop(`no screen beside ${named.path} has a menu: give it one of the folders there are`);
for (const [path, text] of Object.entries(files)) write(path, text);
writeFileSync(root + menu, screens);
for (const [path, text] of Object.entries(catalogues)) write(path, withTexts(text, english[path] ?? {}));
const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const generate = (...scripts: string[]) => {
  for (const script of scripts) run('scripts/launch.mjs', `scripts/${script}.ts`);
};
try {
  run(
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--write',
    ...Object.keys(files).filter((path) => /tsx?$/.test(path)),
    menu,
  );
  generate('modules', 'migrations', 'schema', 'specification-calls');
} catch {
  for (const path of Object.keys(files)) rmSync(root + path);
  writeFileSync(root + menu, menus);
  for (const [path, text] of Object.entries(catalogues)) write(path, text);
  generate('modules', 'migrations');
  stop(
    `nothing was added, for what is said above: a word of TypeScript or SQL, such as case or group, is no name for a noun`,
  );
}
for (const path of Object.keys(files)) tell(path);
console.log(`${menu}: 1 line`);
for (const [path, texts] of Object.entries(english))
  console.log(`${path}: ${Object.keys(texts).length} lines`);
console.log(`next: npm run handbook:pictures -- ${named.path}, then npm run verify`);
