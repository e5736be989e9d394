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
  return new Map(screens.map((path) => [path, readFileSync(join(folder, `${path.split('/').at(-1)}.webp`))]));
}

test('pictures of single screens are the same bytes on every run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-pictures-'));
  try {
    const [one, other] = [taken(join(folder, 'one')), taken(join(folder, 'other'))];
    for (const path of screens) {
      expect(one.get(path)?.length, path).toBeGreaterThan(5_000);
      expect(other.get(path)?.equals(one.get(path) ?? Buffer.alloc(0)), `${path} twice`).toBe(true);
    }
    // Each shows another screen, and not what all have in common alone.
    expect(new Set([...one.values()].map((bytes) => bytes.toString('base64'))).size).toBe(screens.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
