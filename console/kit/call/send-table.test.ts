import { afterEach, expect, it, vi } from 'vitest';
import { failures } from '#contract/failures.ts';
import { addNews } from '#contract/news.ts';
import { notices } from './notices.ts';
import { sendTable } from './send-table.ts';
import { answerStepUp, stepUp } from './step-up.ts';

const answer = (envelope: object) => new Response(JSON.stringify(envelope));
const { code, msg } = failures.stepUpNeeded;

afterEach(() => vi.unstubAllGlobals());

it('a table that takes a fresh code leaves the screen open for it, and goes out again with it', async () => {
  const report = { rows: 1, faults: [] };
  const sent = vi
    .fn<typeof fetch>()
    .mockResolvedValueOnce(answer({ success: false, msg, data: null, code }))
    .mockResolvedValueOnce(answer({ success: true, msg: null, data: report, code: 200 }));
  vi.stubGlobal('fetch', sent);
  const file = new File(['标题\n'], 'news.csv');
  const sending = sendTable({ endpoint: addNews, given: {}, within: {}, file, key: 'one' });
  expect(notices.read().loading).toBe(1);
  await vi.waitFor(() => expect(stepUp.read()).not.toBeNull());
  expect(notices.read().loading).toBe(0);
  answerStepUp(true);
  expect(await sending).toEqual({ report, done: true });
  expect(notices.read().loading).toBe(0);
  const keys = sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));
  expect(keys).toEqual(['one', 'one']);
});
