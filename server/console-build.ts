import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Language } from '#contract/language.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the built console is served from. */
export const consoleFolder = join(root, 'dist', 'console');
/** The console's page in a language, beside its assets. */
export const pageIn = (language: Language): string =>
  language === 'zh' ? 'index.html' : `index.${language}.html`;
/** The build's mark: the digest of the sources it was made of. */
export const markFile = join(consoleFolder, 'sources.sha256');

/** The console's sources do not build; the message says where. */
export class ConsoleBuildError extends Error {
  override name = 'ConsoleBuildError';
}

const sources = ['console', 'contract', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];

function* filesOf(path: string): Generator<string> {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return;
  const entries = readdirSync(absolute, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) yield join(entry.parentPath, entry.name);
  }
}

/** A digest of everything the console is built from; by content, since a checkout changes times but not contents. */
export function digestSources(): string {
  const hash = createHash('sha256');
  const files = sources.flatMap((path) => (/\.\w+$/.test(path) ? [join(root, path)] : [...filesOf(path)]));
  for (const file of files.filter(existsSync).sort()) {
    hash.update(file.slice(root.length).replaceAll(sep, '/'));
    hash.update(createHash('sha256').update(readFileSync(file)).digest());
  }
  return hash.digest('hex');
}

/** Builds the console if its sources are newer than its build. The build runs in a process of its own, so that the server never loads it. */
export async function ensureConsole(onBuild: () => void = () => {}): Promise<void> {
  if (existsSync(markFile) && readFileSync(markFile, 'utf8') === digestSources()) return;
  onBuild();
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build-console.ts')], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: 64_000_000,
    });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new ConsoleBuildError(`控制台构建失败：\n${output}`);
  }
}
