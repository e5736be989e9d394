import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { failures } from '#contract/failures.ts';
import { addNewsCategory, listNewsCategories } from '#contract/news-categories.ts';
import { call } from './call.ts';
import { CallFailed } from './call-failed.ts';
import { readSession, type Session, writeSession } from './session.ts';

const token = { access_token: 'old', refresh_token: 'spent', jti: 'one', token_type: 'bearer', scope: '' };
const session: Session = { ...token, expires_in: 900, operator: 'somebody' };
const { code, msg } = failures.unauthenticated;

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
  removeItem: (key: string) => void kept.delete(key),
};
const left = vi.fn();
const sent = vi.fn<typeof fetch>();

const envelope =
  (body: object, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status });
const expired = envelope({ success: false, msg, data: null, code });
const away = envelope({ success: false, msg: failures.unavailable.msg, data: null, code: 503 }, 503);
const proxy = (status: number) => () => new Response('<h1>Bad Gateway</h1>', { status });
const cut = () => new Response('{"success":true,"msg":"新增成功","da');

beforeAll(() => {
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { pathname: '/main/pms/role', search: '', replace: left });
  vi.stubGlobal('fetch', sent);
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => writeSession(session));
afterEach(() => {
  sent.mockReset();
  kept.clear();
});

/** The answers to what is sent, in this order. */
function answer(...answers: readonly (() => Response)[]): void {
  for (const one of answers) sent.mockImplementationOnce(async () => one());
}

const failureOf = async (calling: Promise<unknown>): Promise<CallFailed> => {
  const failure = await calling.catch((error: unknown) => error);
  if (!(failure instanceof CallFailed)) throw new Error(`no failure: ${String(failure)}`);
  return failure;
};
const add = () => call(addNewsCategory, { name: '公告' }, { idempotencyKey: 'key' });

it('a session that is renewed goes on under the name its operator has by then', async () => {
  const renewed = { ...token, access_token: 'new', refresh_token: 'next', userName: 'renamed' };
  answer(
    expired,
    envelope({ success: true, msg: null, data: renewed, code: 200 }),
    envelope({ success: true, msg: null, data: [], code: 200 }),
  );
  await call(listNewsCategories, {}, { loading: false });
  expect(readSession()).toMatchObject({ access_token: 'new', operator: 'renamed' });
});

it.each([
  ['the system is away for a moment', away],
  ['a proxy answers in its place', proxy(502)],
  ['a captive portal asks to sign in', proxy(200)],
])('nobody is signed out because their session could not be renewed while %s', async (_why, renewal) => {
  answer(expired, renewal);
  const failure = await failureOf(call(listNewsCategories, {}, { loading: false }));
  expect(failure).toMatchObject({ settled: false, message: '没有收到系统的响应，请检查网络后重试' });
  expect(readSession()).toEqual(session);
  expect(left).not.toHaveBeenCalled();
});

it.each([
  ['a page of a proxy', proxy(200)],
  ['half an answer', cut],
  ['a proxy that lost its patience', proxy(408)],
])(
  '%s in place of an answer does not tell whether it was done: sent again, it keeps its key',
  async (_what, other) => {
    answer(other);
    expect(await failureOf(add())).toMatchObject({ settled: false });
  },
);

it('what the system itself refuses is not done', async () => {
  answer(envelope({ success: false, msg: failures.badRequest.msg, data: null, code: 400 }, 400));
  expect(await failureOf(add())).toMatchObject({ settled: true, message: failures.badRequest.msg });
});
