import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packagesOf = (folder: string): string => join(folder, 'node_modules');

/** Runs a program, beside what else its caller has under way. */
const run = promisify(execFile);

/** A program that never ran: it imports a file of the console that the commit after it adds. */
export const NEVER_STARTED = '44c8154791d62778203de044e4a6528b05223900';

interface Lockfile {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

/** The packages a commit's program asks for by name, with their versions. */
async function packagesAt(commit: string): Promise<[name: string, version: string][]> {
  const { stdout } = await run('git', ['show', `${commit}:package-lock.json`], {
    cwd: root,
    maxBuffer: 64_000_000,
  });
  const { packages } = JSON.parse(stdout) as Lockfile;
  return Object.keys(packages['']?.dependencies ?? {}).map((name) => [
    name,
    packages[`node_modules/${name}`]?.version ?? '',
  ]);
}

/** The names of our own packages, those of scopes in full. */
const ours = (): string[] =>
  readdirSync(packagesOf(root)).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(packagesOf(root), name)).map((each) => `${name}/${each}`)
      : [name],
  );

const majorOf = (version: string): string | undefined => version.split('.')[0];

function isOurs([name, version]: readonly [string, string]): boolean {
  const file = join(packagesOf(root), name, 'package.json');
  if (!existsSync(file)) return false;
  return (
    majorOf((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version) === majorOf(version)
  );
}

/** Programs of the past, laid out in folders of their own with packages they can run on: ours, and by npm what has changed since. */
export class PastPrograms {
  readonly #folder = mkdtempSync(join(tmpdir(), 'back-office-past-'));
  readonly #installed = new Map<string, Promise<string>>();

  /** The folder with the program as it was at a commit. */
  async layOut(commit: string): Promise<string> {
    const folder = join(this.#folder, commit);
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    const archive = `${folder}.tar`;
    await run('git', ['archive', '-o', archive, commit], { cwd: root });
    await run('tar', ['xf', archive, '-C', folder]);
    rmSync(archive);
    const changed = (await packagesAt(commit)).filter((one) => !isOurs(one));
    const replaced = new Set(changed.map(([name]) => name));
    const link = (name: string, from: string) => {
      mkdirSync(dirname(join(packagesOf(folder), name)), { recursive: true });
      symlinkSync(join(packagesOf(from), name), join(packagesOf(folder), name));
    };
    for (const name of ours()) if (!replaced.has(name)) link(name, root);
    for (const [name, version] of changed) link(name, await this.#install(name, version));
    return folder;
  }

  /** Installs a package once; gives the folder with it. */
  #install(name: string, version: string): Promise<string> {
    const wanted = `${name}@${version}`;
    const folder = join(this.#folder, wanted);
    const install = async () => {
      mkdirSync(folder, { recursive: true });
      await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', wanted]);
      return folder;
    };
    const installed = this.#installed.get(wanted) ?? install();
    this.#installed.set(wanted, installed);
    return installed;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
