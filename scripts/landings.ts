import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Landing, type Migration, readLandings, readMigrations } from '#server/db/migration-files.ts';

/** The line of `landed.txt` after which numbers grow and no text changes. */
export const GROWING = '# From here on numbers grow and no text changes.';

const numberOf = (name: string): number => Number(name.slice(0, 4));
const lineOf = ({ name, checksum }: Landing): string => `${checksum}  ${name}`;

/** A landed migration is not what it was; the message says which command mends it. */
export class LandedMigrationChanged extends Error {
  override name = 'LandedMigrationChanged';
  constructor(name: string, what: string) {
    const path = `server/db/migrations/${name}`;
    super(
      `${name} has landed and ${what}: databases hold it as it was. Get it back by
  git checkout main -- ${path}
and change the database by a new migration.`,
    );
  }
}

/** What `landed.txt` says up to the line after which numbers grow, and the landings after it. */
export function splitLandings(folder: URL): { head: string; growing: Landing[] } {
  const text = readFileSync(new URL('landed.txt', folder), 'utf8').replaceAll('\r\n', '\n');
  const [before = '', after = ''] = text.split(`${GROWING}\n`);
  const growing = readLandings(folder).filter((landing) => after.includes(lineOf(landing)));
  return { head: `${before}${GROWING}\n`, growing };
}

function rename(folder: URL, name: string, number: number): void {
  const renamed = `${String(number).padStart(4, '0')}${name.slice(4)}`;
  for (const place of [folder, new URL('../preparations/', folder)])
    if (existsSync(new URL(name, place))) renameSync(new URL(name, place), new URL(renamed, place));
}

/** Migrations in the order in which they are to land: those of `landed.txt` first, in its order. */
function inOrder(folder: URL): Migration[] {
  const names = readLandings(folder).map(({ name }) => name);
  const place = ({ name }: Migration) => (names.includes(name) ? names.lastIndexOf(name) : names.length);
  return readMigrations(folder).sort((a, b) => place(a) - place(b));
}

function demandUnchanged(migrations: readonly Migration[], landed: readonly Landing[]): void {
  const last = new Map(landed.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of last) {
    const migration = migrations.find((one) => one.name === name);
    if (!migration) throw new LandedMigrationChanged(name, 'is gone');
    if (migration.checksum !== checksum) throw new LandedMigrationChanged(name, 'was edited');
  }
}

/**
 * Brings `landed.txt` up to date with the files. `landed` is what the main branch says: it stays as it is, and throws
 * `LandedMigrationChanged` where a file does not fit it. Others whose number is too low get the next free one.
 */
export function recordLandings(folder: URL, landed: readonly Landing[]): Landing[] {
  const { head, growing } = splitLandings(folder);
  const old = readLandings(folder).filter((landing) => !growing.some(({ name }) => name === landing.name));
  const fixed = [...old, ...landed];
  demandUnchanged(readMigrations(folder), fixed);
  const isFixed = (name: string) => fixed.some((landing) => landing.name === name);
  let highest = Math.max(0, ...fixed.map(({ name }) => numberOf(name)));
  for (const { name } of inOrder(folder)) {
    if (isFixed(name)) continue;
    if (numberOf(name) <= highest) rename(folder, name, highest + 1);
    highest = Math.max(highest + 1, numberOf(name));
  }
  const known = new Set(old.map(({ name }) => name));
  const now = readMigrations(folder).filter(({ name }) => !known.has(name));
  const lines = now.map(({ name, checksum }) => lineOf({ name, checksum }));
  writeFileSync(new URL('landed.txt', folder), head + lines.map((line) => `${line}\n`).join(''));
  return now.map(({ name, checksum }) => ({ name, checksum }));
}
