import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Landing, type Migration, parseLandings, readMigrations } from '#server/db/migration-files.ts';

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
  return { head: `${before}${GROWING}\n`, growing: parseLandings(after) };
}

/** Gives the file of a migration another number, its preparation too, and tells its new name. */
function renumber(folder: URL, name: string, number: number): string {
  const renamed = `${String(number).padStart(4, '0')}${name.slice(4)}`;
  for (const place of [folder, new URL('../preparations/', folder)])
    if (existsSync(new URL(name, place))) renameSync(new URL(name, place), new URL(renamed, place));
  return renamed;
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
 * Brings `landed.txt` up to date with the files. `landed` is what the main branch says: it stays as it is and where it is, and
 * throws `LandedMigrationChanged` where a file does not fit it. Others follow, with the next free number where theirs is too low.
 */
export function recordLandings(folder: URL, landed: readonly Landing[]): Landing[] {
  const { head, growing } = splitLandings(folder);
  const old = parseLandings(head);
  const fixed = [...old, ...landed];
  const files = readMigrations(folder);
  demandUnchanged(files, fixed);
  const isIn = (list: readonly Landing[], name: string) => list.some((landing) => landing.name === name);
  const given = [...landed, ...growing, ...files].map(({ name }) => name);
  const ordered = [...new Set(given)].filter((name) => isIn(files, name) && !isIn(old, name));
  let highest = Math.max(0, ...fixed.map(({ name }) => numberOf(name)));
  const names = ordered.map((name) => {
    if (isIn(fixed, name)) return name;
    highest = Math.max(highest + 1, numberOf(name));
    return highest === numberOf(name) ? name : renumber(folder, name, highest);
  });
  const now = readMigrations(folder);
  const recorded = names.flatMap((name) => now.filter((migration) => migration.name === name));
  const landings = recorded.map(({ name, checksum }) => ({ name, checksum }));
  writeFileSync(new URL('landed.txt', folder), head + landings.map((one) => `${lineOf(one)}\n`).join(''));
  return landings;
}
