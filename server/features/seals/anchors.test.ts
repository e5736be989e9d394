import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { addBalance } from '#contract/accounts.ts';
import { pageAnchors } from '#contract/anchors.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { setParam } from '#server/testing/approving.ts';
import { buildPhase, recordResult } from '#server/testing/build-slips.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault, type Vault } from '#server/vault.ts';
import { queueAges } from '../queue-ages.ts';
import { Anchor, codeOf, isCode } from './anchor.ts';
import { nextAnchor, takeAnchor } from './anchor-store.ts';
import { sealAll } from './seal-rows.ts';
import { sendNext, writeToFile } from './send-anchors.ts';

let server: TestServer;
let admin: TestClient;
let vault: Vault;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  vault = createVault(server.config.secret);
});
afterAll(() => server.close());

const newest = async () => given((await admin.call(pageAnchors, {})).envelope.data?.data[0]);

it('rows are shown as unsealed until they are sealed', async () => {
  const { accountId } = await buildUser(server.db);
  await admin.call(addBalance, { id: accountId, balance: '10' });
  const ledger = async () => (await admin.call(pageAccountHistory, {})).envelope.data?.data[0]?.sealed;
  const changes = async () => (await admin.call(pageChangeRecords, {})).envelope.data?.data[0]?.sealed;
  const phase = await buildPhase(server.db);
  await recordResult(server.db, phase, '9,3,5,5,5');
  const draws = async () =>
    (await admin.call(pageDrawRecords, { gameId: phase.gameId })).envelope.data?.data[0]?.sealed;
  expect([await ledger(), await changes(), await draws()]).toEqual([false, false, false]);
  await sealAll(server.db, vault);
  expect([await ledger(), await changes(), await draws()]).toEqual([true, true, true]);
});

describe('an anchor', () => {
  it('is due every so many minutes, carries the one before, and is listed with what is kept elsewhere', async () => {
    const { db } = server;
    expect(await nextAnchor(db)).toBeLessThanOrEqual(Date.now() + 1_000);
    await setParam(db, 'anchor.minutes', '0');
    expect(await nextAnchor(db)).toBeUndefined();
    await setParam(db, 'anchor.minutes', '10');
    const first = given(await takeAnchor(db, vault));
    const due = given(await nextAnchor(db));
    expect(Math.abs(due - Date.now() - 600_000)).toBeLessThan(60_000);
    const second = given(await takeAnchor(db, vault));
    expect(second).toMatchObject({ no: first.no + 1, previous: first.code });
    const { content, code, rows } = await newest();
    expect(Anchor.parse(JSON.parse(content))).toEqual(second);
    expect(code).toBe(second.code);
    expect(isCode(code)).toBe(true);
    expect(codeOf(vault, second)).toBe(code);
    expect(rows).toBe(second.heads.reduce((sum, head) => sum + head.rows, 0));
    const found = await admin.call(pageAnchors, { code: first.code });
    expect(found.envelope.data?.data.map(({ id }) => id)).toEqual([first.no]);
    await expect(sql`delete from anchor`.execute(db)).rejects.toMatchObject({ code: '42501' });
  });

  it('is posted to an address under the guard of all that goes out, and tried again when it is not taken', async () => {
    const { db } = server;
    const received: string[] = [];
    let status = 500;
    const site = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += piece));
      request.on('end', () => {
        received.push(`${request.method} ${request.headers['content-type']} ${body}`);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    await setParam(db, 'anchor.webhookUrl', `http://127.0.0.1:${port}/anchors`);
    const open = { ...server.config, spiderAllowedHosts: [`127.0.0.1:${port}`] };
    const again = () =>
      sql`update anchor_sending set "nextTime" = now() where "nextTime" is not null`.execute(db);
    try {
      const anchor = given(await takeAnchor(db, vault));
      expect(await sendNext(db, vault, server.config)).toBe(true);
      expect(received).toEqual([]);
      expect(await newest()).toMatchObject({ webhookTime: null, problem: expect.stringMatching(/./) });
      await again();
      await sendNext(db, vault, open);
      expect((await newest()).problem).toContain('HTTP 500');
      expect((await queueAges(db)).anchors).toBeGreaterThan(0);
      expect(await sendNext(db, vault, open)).toBe(false);
      status = 204;
      await again();
      await sendNext(db, vault, open);
      expect(await newest()).toMatchObject({ problem: null, webhookTime: expect.any(String) });
      expect((await queueAges(db)).anchors).toBe(0);
      expect(received).toHaveLength(2);
      expect(received[1]).toBe(`POST application/json ${JSON.stringify(anchor)}`);
      await again();
      expect(await sendNext(db, vault, open)).toBe(false);
    } finally {
      await setParam(db, 'anchor.webhookUrl', '');
      site.close();
    }
  });

  it('is due though the last was taken while the clock was ahead, once it is set back', async () => {
    const { db } = server;
    const last = given(await takeAnchor(db, vault));
    expect(await nextAnchor(db)).toBeGreaterThan(Date.now());
    const ahead = { ...last, no: last.no + 1, previous: last.code };
    const content = JSON.stringify({ ...ahead, code: codeOf(vault, ahead) });
    await sql`insert into anchor (id, code, content, "createTime")
      values (${ahead.no}, ${codeOf(vault, ahead)}, ${content}, now() + interval '1 year')`.execute(db);
    expect(await nextAnchor(db)).toBeLessThanOrEqual(Date.now() + 1_000);
    await takeAnchor(db, vault);
    expect(await nextAnchor(db)).toBeGreaterThan(Date.now());
  });

  it('that could not be sent is not said to have been once nobody wants it any more', async () => {
    const { db } = server;
    await setParam(db, 'anchor.webhookUrl', 'http://127.0.0.1:9/anchors');
    await setParam(db, 'anchor.mailTo', 'keeper@example.com');
    await takeAnchor(db, vault);
    for (const key of ['anchor.webhookUrl', 'anchor.mailTo'] as const) await setParam(db, key, '');
    while (await sendNext(db, vault, server.config));
    const { mailTime, webhookTime, problem } = await newest();
    expect([mailTime, webhookTime]).toEqual([null, null]);
    expect(problem?.split('；').toSorted()).toEqual([
      ...['参数 anchor.mailTo 已清空，没有发出', '参数 anchor.webhookUrl 已清空，没有发出'],
    ]);
    // The alarm of anchors that wait ends, as the manual says.
    expect((await queueAges(db)).anchors).toBe(0);
  });

  it('is mailed', async () => {
    const { db } = server;
    await setParam(db, 'anchor.mailTo', 'keeper@example.com');
    await takeAnchor(db, vault);
    expect(await sendNext(db, vault, server.config)).toBe(true);
    const { rows } = await sql`select template, "to", status from mail_outbox`.execute(db);
    expect(rows).toEqual([{ template: 'anchor', to: 'keeper@example.com', status: 'PENDING' }]);
    await setParam(db, 'anchor.mailTo', '');
  });

  it('is appended to a file, which catches up with whatever it lacks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'anchors-'));
    const file = join(folder, 'anchors.jsonl');
    const numbers = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Anchor.parse(JSON.parse(line)).no);
    try {
      await writeToFile(server.db, file);
      const all = numbers();
      expect(all).toEqual(all.map((_, index) => index + 1));
      const lines = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${lines.slice(0, 1).join('\n')}\n`);
      await takeAnchor(server.db, vault);
      await writeToFile(server.db, file);
      await writeToFile(server.db, file);
      expect(numbers()).toEqual([...all, all.length + 1]);
      // As a full disk leaves it.
      const whole = readFileSync(file, 'utf8');
      for (const cut of [1, 2, 40]) {
        writeFileSync(file, whole.slice(0, -cut));
        await writeToFile(server.db, file);
        expect(readFileSync(file, 'utf8')).toBe(whole);
      }
      writeFileSync(file, `${whole}another's`);
      await takeAnchor(server.db, vault);
      await writeToFile(server.db, file);
      expect(readFileSync(file, 'utf8').split('\n').at(-2)).toMatch(/^\{.*\}$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
