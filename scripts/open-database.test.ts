import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** Runs a command over a folder, interrupts it as npm does once it has said so much, and gives its end. */
async function interrupted(command: readonly string[], env: Record<string, string>, when: () => boolean) {
  const child = spawn(process.execPath, command, { env: { PATH: process.env.PATH ?? '', ...env } });
  const said: string[] = [];
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => void said.push(line));
  const ended = once(child, 'exit');
  await expect.poll(when, { timeout: 30_000, interval: 20 }).toBe(true);
  child.kill('SIGINT');
  child.kill('SIGINT');
  const [code] = await ended;
  return { code, said };
}

test('a PostgreSQL that a command has started ends with it, also where that is interrupted, and opens without its secret', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'back-office-interrupted-'));
  const runs = () => existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid'));
  const first = await interrupted(['scripts/database.ts'], { DATA_DIR }, runs);
  expect([first.code, runs()]).toEqual([0, false]);
  rmSync(join(DATA_DIR, 'app-secret'));
  // So that somebody can say in it that the secret is lost.
  const lost = await interrupted(['scripts/database.ts'], { DATA_DIR }, runs);
  expect([lost.code, runs(), existsSync(join(DATA_DIR, 'app-secret'))]).toEqual([0, false, false]);
  const dump = join(DATA_DIR, 'platform.dump');
  const other = await interrupted(['scripts/dump.ts', dump], { DATA_DIR }, runs);
  expect([other.code, runs()]).toEqual([1, false]);
  rmSync(DATA_DIR, { recursive: true });
}, 90_000);
