import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm leaves packages for other platforms out of the lockfile when the registry in use does not offer them, and `npm ci`
// then refuses the lockfile. This adds them: the version is exact in what depends on them, the platform is in the name.

interface Locked {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
  engines?: unknown;
}

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };

const systems: Record<string, string> = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
};
const processors: Record<string, string> = {
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  x64: 'x64',
};
const libraries: Record<string, string> = { gnu: 'glibc', glibc: 'glibc', musl: 'musl', musleabihf: 'musl' };

/** What a name such as `@oxc-parser/binding-linux-arm64-musl` says. */
function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const pick = (table: Record<string, string>) => words.flatMap((word) => table[word] ?? []).slice(0, 1);
  const [os, cpu, libc] = [pick(systems), pick(processors), pick(libraries)];
  if (os.length === 0 || cpu.length === 0) throw new Error(`which platform is ${name} for?`);
  return { os, cpu, ...(libc.length > 0 && os[0] === 'linux' ? { libc } : {}) };
}

/** Whether a package finds this one: beside it, or in any folder above. */
function isLocked(dependent: string, name: string): boolean {
  for (let at = dependent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (`${at ? `${at}/` : ''}node_modules/${name}` in lockfile.packages) return true;
    if (at === '') return false;
  }
}

const added: string[] = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lockfile.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(path, name)) continue;
    if (!/^\d/.test(version)) throw new Error(`${path} wants ${name}@${version}, which is no exact version`);
    const entry: Locked = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) };
    lockfile.packages[`node_modules/${name}`] = entry;
    added.push(`${name}@${version}`);
  }
}
// Packages run under the Node that is installed with them, not under the one that runs npm: what they ask of it would be held against
// the wrong one, and a newcomer would read warnings about nothing.
for (const [path, locked] of Object.entries(lockfile.packages)) if (path !== '') delete locked.engines;
lockfile.packages = Object.fromEntries(
  Object.entries(lockfile.packages).sort(([a], [b]) => (a === b ? 0 : a.localeCompare(b, 'en'))),
);
writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(added.length > 0 ? `added:\n${added.join('\n')}` : 'complete');
