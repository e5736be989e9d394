import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '#server/config-error.ts';
import { configWithoutSecret, openDatabase } from './open-database.ts';

test('a command that finds no database in DATA_DIR says so and makes none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-none-'));
  await expect(openDatabase(configWithoutSecret({ DATA_DIR: folder }))).rejects.toThrow(ConfigError);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
