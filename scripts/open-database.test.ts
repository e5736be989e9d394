import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
