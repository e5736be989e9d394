import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './postgres-binaries.ts';

const execute = promisify(execFile);

/** How to run PostgreSQL's programs, which refuse to run as root. */
export interface Runner {
  /** Who must own the data folder; null: whoever we are. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Runs a program to its end and gives its output; throws with its error output. */
  run(file: string, args: readonly string[]): Promise<string>;
}

/** Nothing of our own environment, which holds secrets, is passed on. */
const environment = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot, TEMP: process.env.TEMP } : {}),
};

type Wrap = (file: string, args: readonly string[]) => readonly [string, readonly string[]];

function runner(owner: Runner['owner'], cwd: string, wrap: Wrap, ids = {}): Runner {
  return {
    owner,
    run: async (file, args) => {
      const [program, words] = wrap(file, args);
      const { stdout } = await execute(program, words, { cwd, env: environment, ...ids });
      return stdout;
    },
  };
}

/** An account without rights: PostgreSQL's own where there is one. */
function unprivilegedAccount(): { uid: number; gid: number } {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/** The owner of an existing data folder stays its owner. */
function ownerOf(dataFolder: string): { uid: number; gid: number } | null {
  if (!existsSync(dataFolder)) return null;
  const { uid, gid } = statSync(dataFolder);
  return uid === 0 ? null : { uid, gid };
}

/**
 * Chooses how to run PostgreSQL: as ourselves, or when we are root as an account without rights. That account keeps one
 * capability, to pass through folders such as /root that only root may enter; where the capability or `setpriv` is
 * missing, it does without. `probe` is a program that exits at once.
 */
export async function chooseRunner(
  dataFolder: string,
  cwd: string,
  probe: readonly [string, ...string[]],
): Promise<Runner> {
  const plain: Wrap = (file, args) => [file, args];
  const [program, ...words] = probe;
  const candidates: Runner[] = [];
  if (process.getuid?.() === 0) {
    const owner = ownerOf(dataFolder) ?? unprivilegedAccount();
    const become = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
    // Without the last one access(2), by which PostgreSQL looks for its own programs, ignores the capability.
    const keep = [
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
    ];
    candidates.push(
      runner(owner, cwd, (file, args) => ['setpriv', [...become, ...keep, file, ...args]]),
      runner(owner, '/', plain, owner),
    );
  } else candidates.push(runner(null, cwd, plain));
  let reason: unknown;
  for (const candidate of candidates) {
    try {
      await candidate.run(program, words);
      return candidate;
    } catch (error) {
      reason = error;
    }
  }
  const hint =
    '请以普通用户运行，或把程序放到所有用户都能进入的目录，或用环境变量 DATABASE_URL 指定一个数据库';
  throw new EmbeddedPostgresError(`内置 PostgreSQL 无法运行，${hint}。原因：${reasonOf(reason)}`);
}

/** What a program had to say about its failure. */
export function reasonOf(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return output || (error instanceof Error ? error.message : String(error));
}
