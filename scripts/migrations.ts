import { execFileSync } from 'node:child_process';
import { parseLandings } from '#server/db/migration-files.ts';
import { LandedMigrationChanged, recordLandings } from './landings.ts';

// `npm run migrations` adds the new migrations to landed.txt, with the next free number where theirs is too low because others
// landed first. What the main branch holds is never touched.

const folder = new URL('../server/db/migrations/', import.meta.url);

const git = (...args: string[]): string | undefined => {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
};

/** What had landed before the work at hand: the main branch, or its state before the merge just made. */
function mainBranch(): string {
  const branch = ['main', 'origin/main', 'HEAD'].find((name) => git('rev-parse', '--verify', name));
  const merged =
    git('rev-parse', '--verify', 'HEAD^2') && git('rev-parse', 'HEAD') === git('rev-parse', branch ?? '');
  return merged ? 'HEAD^1' : (branch ?? 'HEAD');
}

try {
  const landed = parseLandings(git('show', `${mainBranch()}:./landed.txt`) ?? '');
  for (const { name, checksum } of recordLandings(folder, landed)) console.log(`${checksum}  ${name}`);
} catch (error) {
  if (!(error instanceof LandedMigrationChanged)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
