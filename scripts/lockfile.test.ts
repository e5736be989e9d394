import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  engines?: unknown;
  hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
const locked = Object.entries(packages).filter(([path]) => path !== '');

test('every package is held to its hash, but for those of other platforms that no registry at hand offers', () => {
  for (const [path, { integrity, resolved, optional, os }] of locked) {
    if (integrity) expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    else
      expect({ resolved, optional, elsewhere: os !== undefined }, path).toEqual({
        resolved: undefined,
        optional: true,
        elsewhere: true,
      });
  }
  expect(locked.filter(([, { integrity }]) => !integrity).length).toBeLessThanOrEqual(29);
});

test('whoever installs is asked for no review: every install script has had one, and no engine is judged by the wrong Node', () => {
  const scripts = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripts)].sort());
  for (const [path, { engines }] of locked)
    expect(engines, `${path}: run \`npm run lockfile\``).toBeUndefined();
});
