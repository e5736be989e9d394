import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pageAnchors } from '#contract/anchors.ts';
import { exportFormats } from '#contract/export-formats.ts';
import { requestFor } from '#contract/request.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { superuserOf } from '#server/testing/superuser.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { type Anchor, anchorsIn } from './anchor.ts';
import { takeAnchor } from './anchor-store.ts';
import { sealAll } from './seal-rows.ts';
import { writeToFile } from './send-anchors.ts';

// A program of its own each time, on however busy a machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = mkdtempSync(join(tmpdir(), 'prove-'));
const at = (name: string) => join(folder, name);
const anchors: Anchor[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const vault = createVault(server.config.secret);
  for (const round of [1, 2]) {
    await buildBettors(server.db, round);
    await sealAll(server.db, vault);
    anchors.push(given(await takeAnchor(server.db, vault)));
  }
  await writeToFile(server.db, at('anchors.jsonl'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

/** The command as it is given on the server: how it ended, and what it said. */
const prove = (...words: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const env = { ...programEnvironment, PATH: process.env.PATH, DATABASE_URL: server.database.url };
    const secret = { APP_SECRET: Buffer.from(server.config.secret).toString('base64') };
    const child = execFile(
      process.execPath,
      ['scripts/prove.ts', ...words],
      { env: { ...env, ...secret } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
  });

it('proves by anchors of a file, of an exported table and of short codes, and says what it was not given', async () => {
  const { method, url, body, contentType } = requestFor(pageAnchors, {});
  const response = await fetch(server.origin + url, {
    ...{ method, body },
    headers: {
      accept: exportFormats.csv,
      authorization: `Bearer ${(await server.admin()).token}`,
      ...(contentType ? { 'content-type': contentType } : {}),
    },
  });
  writeFileSync(at('exported.csv'), await response.text());
  const [plain, files, table] = await Promise.all([
    prove(),
    prove(at('anchors.jsonl'), given(anchors[0]).code.toLowerCase()),
    prove(at('exported.csv')),
  ]);
  expect(plain).toMatchObject({ code: 0, said: expect.stringContaining('没有给出保存在别处的锚点') });
  expect(files).toMatchObject({ code: 0, said: expect.stringMatching(/^全部相符：.*核对锚点 3 个/) });
  expect(table).toMatchObject({ code: 0, said: expect.stringMatching(/^全部相符：.*核对锚点 2 个/) });
});

it('says in a sentence what is wrong with what it was given, and ends with 1', async () => {
  const half = JSON.stringify(anchors[0]).slice(0, 60);
  for (const text of [half, '没有锚点\n', '', '{}']) expect(() => anchorsIn(text)).toThrow();
  writeFileSync(at('half.jsonl'), half);
  const code = 'AAAAA-BBBBB-CCCCC-DDDDD';
  expect(await Promise.all([prove(at('half.jsonl')), prove(code)])).toEqual([
    { code: 1, said: `锚点文件 ${at('half.jsonl')} 无法读取或不是导出的锚点\n` },
    { code: 1, said: `数据库里没有锚点 ${code}：它之后的内容被截去，或者短码抄错\n` },
  ]);
});

it('finds a tail that was cut with its seals, by a file or a code kept elsewhere and by nothing else', async () => {
  const superuser = superuserOf(server.database);
  await superuser.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`create temp table gone as select id, "userId" from account_history
      where id > (select max("toId") from seal where kind = 'LEDGER' and no = 1)`.execute(tx);
    await sql`delete from account_history where id in (select id from gone)`.execute(tx);
    await sql`update account set "lastSeq" = 0, "totalAmount" = 0, "availableAmount" = 0, "lastHash" = ''
      where "userId" in (select "userId" from gone)`.execute(tx);
    await sql`delete from seal where kind = 'LEDGER' and no > 1`.execute(tx);
    await sql`delete from anchor where id = 2`.execute(tx);
  });
  await superuser.destroy();
  const [early, file, code] = await Promise.all([
    prove(given(anchors[0]).code),
    prove(at('anchors.jsonl')),
    prove(given(anchors[1]).code),
  ]);
  expect(early.code).toBe(0);
  expect(file.code).toBe(1);
  expect(file.said).toMatch(
    /锚点 .*（第 2 号.*）记有账变 3 行、2 段，现在只有 1 行、1 段：第 2 至 3 号被截去/,
  );
  expect(code.code).toBe(1);
  expect(code.said).toContain('数据库里没有锚点');
});
