import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

// A list of none, lists of money and times, a desk that counts from now, and rows that this run has made itself.
const screens = [
  '/main/news/news',
  '/main/user/account-history',
  '/main/bet/slip',
  '/main/user/money-desk',
  '/main/pms/role',
];

/** Takes the screens' pictures as an engineer does, from a server of their own. */
function taken(folder: string): Map<string, Buffer> {
  const script = [join(root, 'scripts/launch.mjs'), 'scripts/handbook-pictures.ts', `--into=${folder}`];
  const told = execFileSync(process.execPath, [...script, ...screens], { cwd: root, encoding: 'utf8' });
  console.log(told.trim());
  const names = screens.flatMap((path) =>
    ['zh', 'en'].map((language) => `${language}/${path.split('/').at(-1)}.webp`),
  );
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

test('pictures of single screens are the same bytes on every run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-pictures-'));
  try {
    const [one, other] = [taken(join(folder, 'one')), taken(join(folder, 'other'))];
    for (const [name, bytes] of one) {
      expect(bytes.length, name).toBeGreaterThan(5_000);
      expect(other.get(name)?.equals(bytes), `${name} twice`).toBe(true);
    }
    // Each shows another screen or language, and not what all have in common alone.
    expect(new Set([...one.values()].map((bytes) => bytes.toString('base64'))).size).toBe(2 * screens.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
