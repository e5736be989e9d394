import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The very files that machines are set up with. */
export const deployed = fileURLToPath(new URL('../../../deploy/cluster', import.meta.url));

/** A unit of systemd, as far as it says how to run a program. */
export interface Unit {
  readonly user: string;
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** After so long a program that ended is started anew. */
  readonly restartMs: number;
}

/** Lines of `NAME=value`. */
export const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Reads a unit as systemd does; its paths are those of a machine laid out under `at`. */
export function readUnit(name: string, at: (path: string) => string): Unit {
  const text = readFileSync(`${deployed}/units/${name}.service`, 'utf8').replaceAll('\\\n', '');
  const all = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const one = (key: string): string => {
    const [value] = all(key);
    if (value === undefined) throw new Error(`${name}.service says no ${key}`);
    return value;
  };
  const files = all('EnvironmentFile').map((file) => variablesIn(readFileSync(at(file), 'utf8')));
  const own = all('Environment').map((line) => variablesIn(at(line)));
  const environment: Record<string, string> = Object.assign({}, ...own, ...files);
  const filled = one('ExecStart').replace(/\$\{(\w+)\}/g, (_, variable) => environment[variable] ?? '');
  const [program = '', ...words] = filled.trim().split(/\s+/);
  if (one('Restart') !== 'always') throw new Error(`${name}.service is not started anew`);
  return {
    user: one('User'),
    folder: at(one('WorkingDirectory')),
    command: [program, ...words],
    environment,
    restartMs: Number(one('RestartSec')) * 1_000,
  };
}
