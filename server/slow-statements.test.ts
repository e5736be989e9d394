import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportFormats } from '#contract/export-formats.ts';
import { requestFor } from '#contract/request.ts';
import { pageUsers } from '#contract/users.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

interface Line {
  level: number;
  msg: string;
  call?: string;
  ms?: number;
  statement?: string;
}
const lines: Line[] = [];
let server: TestServer;
beforeAll(async () => {
  // Every statement is as slow as that.
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
  server = await startTestServer({ logLevel: 'warn', slowStatementMs: 0 }, undefined, { logTo });
});
afterAll(() => server.close());

const slow = () => lines.filter(({ msg }) => msg === 'a slow statement');

it('a slow statement is told with its call, how long it took, and none of its values', async () => {
  const admin = await server.admin();
  await admin.call(pageUsers, { username: 'a-name-to-look-for', currentPage: 1, pageSize: 10 });
  const own = slow().filter(({ call }) => call === 'pageUsers');
  expect(own.some(({ statement }) => statement?.includes('"player"'))).toBe(true);
  for (const { level, ms } of own) expect([level, typeof ms]).toEqual([40, 'number']);
  expect(JSON.stringify(lines)).not.toContain('a-name-to-look-for');
});

it('those of an export are told too', async () => {
  const { token } = await server.admin();
  const { method, url, body, contentType } = requestFor(pageUsers, {});
  lines.length = 0;
  const headers = { accept: exportFormats.csv, authorization: `Bearer ${token}` };
  const typed = contentType ? { ...headers, 'content-type': contentType } : headers;
  const answer = await fetch(server.origin + url, { method, body, headers: typed });
  expect((await answer.text()).split('\r\n')[0]).toContain('编号');
  const told = () =>
    slow().filter(({ call, statement }) => call === 'pageUsers' && /begin|player/.test(statement ?? ''));
  await expect.poll(() => told().length, { timeout: 20_000 }).toBeGreaterThan(1);
});
