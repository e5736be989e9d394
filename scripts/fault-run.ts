import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { demandPackages } from './debian-packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one of the long tests, of programs that Debian's packages bring; where they cannot be had it is skipped, with a word. */
export function runFault(name: string, what: string, packages: Readonly<Record<string, string>>): never {
  const trouble = demandPackages(packages);
  if (trouble) {
    console.log(`跳过${what}：${trouble}`);
    process.exit(0);
  }
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.faults.config.ts', name];
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env });
  process.exit(status ?? 1);
}
