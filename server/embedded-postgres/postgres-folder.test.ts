import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './postgres-binaries.ts';
import { chooseKept, readKept } from './postgres-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'kept-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['', '{"port": 5432', 'null', '[]', '{"port":"x","adminPassword":"a","password":"b","made":true}'])(
  'a broken postgres.json is a sentence that names it: %s',
  (content) => {
    const file = join(folder, 'postgres.json');
    writeFileSync(file, content);
    expect(() => readKept(file)).toThrow(EmbeddedPostgresError);
    expect(() => readKept(file)).toThrow(`${file}（内置 PostgreSQL 的端口与密码）已损坏`);
  },
);

test('what was kept is read again, and no file is nothing', () => {
  const file = join(folder, 'kept.json');
  expect(readKept(file)).toBeNull();
  expect(readKept(chooseKept(file) && file)).toEqual(chooseKept(file));
});

test('data of another PostgreSQL is a sentence that says how they are brought over', async () => {
  const dataDir = join(folder, 'former');
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  chooseKept(join(dataDir, 'postgres.json'));
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /PostgreSQL 17 .* npm run dump .* npm run restore /,
  );
});

test.each(['/proc/x', '/dev/null/x'])(
  'a folder that cannot be written is a sentence that names DATA_DIR: %s',
  async (nowhere) => {
    const refused = expect(startEmbeddedPostgres({ dataDir: nowhere })).rejects;
    await refused.toThrow(EmbeddedPostgresError);
    await refused.toThrow(`环境变量 DATA_DIR 指向的目录无法读写：${nowhere}（`);
  },
);
