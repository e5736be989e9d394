import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A file of `migrations/`, named `NNNN-name.sql`. */
export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** What makes a database fit for it, run just before it: see `preparations/`. Empty for most. */
  readonly preparation: string;
}

/** A line of `landed.txt`: this text of this migration has been on the main branch, so databases may hold it. */
export interface Landing {
  readonly name: string;
  readonly checksum: string;
}

/** A checkout may turn line ends into CRLF. */
export const checksumOf = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

const readIfThere = (file: URL): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The migrations of a folder by number, with their preparations beside it. */
export function readMigrations(folder: URL): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name) => {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`not a migration's name: ${name}`);
    const text = readFileSync(new URL(name, folder), 'utf8');
    const preparation = readIfThere(new URL(`../preparations/${name}`, folder));
    return { name, text, checksum: checksumOf(text), preparation };
  });
}

/** The lines of a `landed.txt`, in the order of landing. */
export const parseLandings = (text: string): Landing[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, checksum, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    return checksum && name ? [{ name, checksum }] : [];
  });

/** What the folder's `landed.txt` says. */
export const readLandings = (folder: URL): Landing[] =>
  parseLandings(readIfThere(new URL('landed.txt', folder)));
