import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never comes back where the system says "no such folder" of one
 * whose parent is there, as it does in /proc.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Somebody else may have been faster.
    if (!existsSync(folder)) throw error;
  }
}

/** Makes DATA_DIR where it is missing, and throws where no file can be written in it. */
export function tryDataFolder(dataDir: string): void {
  makeFolder(dataDir);
  const tried = join(dataDir, `.tried.${process.pid}`);
  try {
    writeFileSync(tried, 'written');
  } finally {
    rmSync(tried, { force: true });
  }
}

/** What to tell of a DATA_DIR that cannot be used. */
export const unusable = (dataDir: string, reason: unknown): string =>
  `环境变量 DATA_DIR 指向的目录无法读写：${dataDir}（${reason instanceof Error ? reason.message : reason}）`;
