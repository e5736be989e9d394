import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ConfigError } from '#server/config-error.ts';
import { configWithoutSecret, openDatabase } from './open-database.ts';

test('a command that finds no database in DATA_DIR says so and makes none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-none-'));
  await expect(openDatabase(configWithoutSecret({ DATA_DIR: folder }))).rejects.toThrow(ConfigError);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('a restore of a file that is not there makes no database, which would ask the next start for its secret', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-none-'));
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  const restoring = promisify(execFile)(
    process.execPath,
    ['scripts/restore.ts', join(folder, 'nowhere.dump')],
    { env },
  );
  await expect(restoring).rejects.toMatchObject({ stderr: expect.stringContaining('无法读取导出文件') });
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** Runs the database of a folder, interrupts it as npm does once it is there, and gives its end. */
async function interrupted(env: Record<string, string>, isThere: () => boolean): Promise<number | null> {
  const child = spawn(process.execPath, ['scripts/database.ts'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  try {
    await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
  } finally {
    child.kill('SIGINT');
    child.kill('SIGINT');
    await ended;
  }
  const [code] = await ended;
  return code;
}

test('a PostgreSQL that a command has started ends with it, also where that is interrupted, and opens without its secret', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'back-office-interrupted-'));
  const runs = () => existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid'));
  expect([await interrupted({ DATA_DIR }, runs), runs()]).toEqual([0, false]);
  rmSync(join(DATA_DIR, 'app-secret'));
  // So that somebody can say in it that the secret is lost.
  expect([await interrupted({ DATA_DIR }, runs), runs()]).toEqual([0, false]);
  expect(existsSync(join(DATA_DIR, 'app-secret'))).toBe(false);
  rmSync(DATA_DIR, { recursive: true });
}, 150_000);
