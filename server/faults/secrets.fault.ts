import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProgram } from '#server/testing/program.ts';

// The real program on the PostgreSQL it brings along: what was sealed under one secret is never served under another.

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-secrets-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** As with `APP_SECRET=… npm start`; empty stands for "not given". */
const startWith = (APP_SECRET: string) => startProgram({ DATA_DIR: dataDir, APP_SECRET });
const secretOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

test('a database is served under its own secret only: another one, and a kept one that is gone, are refused with a sentence', async () => {
  // Made and kept by the first start.
  await (await startWith('')).end('SIGTERM');
  await expect(startWith(secretOf('b'))).rejects.toThrow(/ended with 1:[\s\S]*APP_SECRET[^\n]*已拒绝启动/);
  await (await startWith('')).end('SIGTERM');
  rmSync(join(dataDir, 'app-secret'));
  await expect(startWith('')).rejects.toThrow(/ended with 1:\n缺少 [^\n]*app-secret[^\n]*APP_SECRET/);
});
