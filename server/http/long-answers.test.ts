import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestFor } from '#contract/request.ts';
import { pageUsers } from '#contract/users.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await sql`insert into player ("nickName") select '长长的昵称 "' || g || '" \\ ' || repeat('汉', 20) from generate_series(1, 2000) g`.execute(
    server.db,
  );
});
afterAll(() => server.close());

describe('a page that the database wrote', () => {
  it.each([1, 20, 200, 1_000, 2_000])('of %i rows arrives whole, packed or not', async (pageSize) => {
    const { token } = await server.admin();
    const { method, url, body, contentType } = requestFor(pageUsers, { pageSize });
    const ask = (encoding: string) =>
      fetch(server.origin + url, {
        method,
        ...(body ? { body } : {}),
        headers: {
          ...{ authorization: `Bearer ${token}`, 'accept-encoding': encoding },
          ...(contentType ? { 'content-type': contentType } : {}),
        },
      });
    const plain = await ask('identity');
    const text = await plain.text();
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(text));
    const { data } = JSON.parse(text);
    expect(data.totalCount).toBe(2_000);
    expect(data.data).toHaveLength(pageSize);
    expect(given(data.data[0]).nickName).toBe(`长长的昵称 "2000" \\ ${'汉'.repeat(20)}`);
    expect(await (await ask('gzip')).text()).toBe(text);
    expect(await (await ask('br')).text()).toBe(text);
    // As Chromium asks over HTTPS.
    const packed = await ask('gzip, deflate, br, zstd');
    expect(packed.headers.get('content-encoding')).toBe(text.length < 16_384 ? null : 'zstd');
    expect(await packed.text()).toBe(text);
  });
});
