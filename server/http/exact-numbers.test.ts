import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import { parseJson } from '#contract/exact-json.ts';
import { addOdds } from '#contract/odds.ts';
import { createUser, placeDeposit, postEntries } from '#contract/platform.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let userId: number;
beforeAll(async () => {
  server = await startTestServer();
  userId = given((await server.site().call(createUser, { nickName: '小数' })).envelope.data);
});
afterAll(() => server.close());

const send = async (path: string, body: string, token: string, more: Record<string, string> = {}) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...more };
  const response = await fetch(`${server.origin}${path}`, { method: 'POST', headers, body });
  return (await response.json()) as { success: boolean; msg: string; errors?: Record<string, string> };
};
const pathOf = (endpoint: AnyEndpoint): string => basePath(endpoint) + endpoint.path;

describe('an amount sent as a number', () => {
  const place = (amount: string, order: string) =>
    send(
      pathOf(placeDeposit),
      `{"userId":${userId},"amount":${amount},"type":"BANK_TRANSFER","bankOrderNo":"${order}"}`,
      server.site().token,
    );

  it.each([
    '0.00010000000000000000001',
    '1.00000000000000000001',
    '999999999999.99990000000001',
    '100000000000000000000',
    '1e999',
    '1.000000000000000000001e1',
  ])('%s is refused, not rounded', async (amount) => {
    const { success, msg } = await place(amount, `refused-${amount}`);
    expect(success).toBe(false);
    expect(msg).toMatch(/^(充值)?金额(须为不超过 4 位小数的数字|数值过大)/);
  });

  it.each(['0.0001', '999999999999.9999', '12', '1.50', '1.5000'])('%s is taken as it is', async (amount) => {
    expect(await place(amount, `taken-${amount}`)).toMatchObject({ success: true });
  });

  it.each([
    ['0.00010000000000000000001', false],
    ['12.5000', true],
  ])('%s is judged alike in JSON that a form carries', async (amount, isTaken) => {
    const entry = `{"userId":${userId},"changeType":"WIN","amount":${amount},"bizOrderNo":"form-${amount}"}`;
    const type = 'application/x-www-form-urlencoded';
    const body = new URLSearchParams({ entries: entry }).toString();
    const { success, msg } = await send(pathOf(postEntries), body, server.site().token, {
      'content-type': type,
    });
    expect(success).toBe(isTaken);
    if (!isTaken) expect(msg).toBe('账变第 1 项的金额须为不超过 4 位小数的数字');
  });

  it('of a table’s every row is judged alike', async () => {
    const { token } = await server.admin();
    const given = encodeURIComponent('{"playWayId":1,"odds":1.98000000000000000001}');
    const headers = { 'content-type': 'text/csv', 'x-import': 'check', 'x-import-with': given };
    const { msg } = await send(pathOf(addOdds), '号码\n1\n', token, headers);
    expect(msg).toMatch(/赔率须为不超过 \d+ 位小数的数字/);
  });

  it('odds are read alike', async () => {
    const { token } = await server.admin();
    const answer = await send(
      pathOf(addOdds),
      '{"playWayId":1,"numberIds":[1],"odds":1.98000000000000000001}',
      token,
    );
    expect(answer.msg).toMatch(/赔率须为不超过 \d+ 位小数的数字/);
  });
});

describe('JSON is parsed', () => {
  it('with a number for a number exactly where the number is the same', () => {
    const digits = fc.stringMatching(/^\d{0,25}$/);
    const parts = fc.tuple(
      fc.stringMatching(/^(0|[1-9]\d{0,18})$/),
      digits,
      fc.integer({ min: -30, max: 30 }),
    );
    const check = fc.property(parts, fc.boolean(), ([whole, fraction, exponent], scientific) => {
      const number = (fraction === '' ? whole : `${whole}.${fraction}`) + (scientific ? `e${exponent}` : '');
      const same = new Decimal(number).equals(Number(number));
      expect(parseJson(number)).toBe(same ? Number(number) : number);
    });
    fc.assert(check, { numRuns: 2_000 });
  });

  it('quickly, however many noughts a number has', () => {
    const start = performance.now();
    const number = `1${'0'.repeat(300_000)}1`;
    expect(parseJson(number)).toBe(number);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('as ever, but for numbers that would be rounded', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(
      parseJson('[1e3, 1E-2, 0.1, -0, 12345678901234567, 9007199254740993, "1e400 0.12345678901234567"]'),
    ).toEqual([1000, 0.01, 0.1, -0, '12345678901234567', '9007199254740993', '1e400 0.12345678901234567']);
    expect(parseJson(String.raw`{"a\"1e400":"\\","b":-1e400,"c":"\u00221e400","d":[1e400]}`)).toEqual({
      'a"1e400': '\\',
      b: '-1e400',
      c: '"1e400',
      d: ['1e400'],
    });
    expect(parseJson('{"__proto__": 1.00000000000000000001}')).toEqual(
      JSON.parse('{"__proto__": "1.00000000000000000001"}'),
    );
  });
});
