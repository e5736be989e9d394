import { QueryObserver } from '@tanstack/react-query';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askAgainSoon, failedBefore, watchUnanswered } from './ask-again.ts';
import { CallFailed, noAnswer } from './call-failed.ts';
import { queryClient } from './query-client.ts';

const page = { hidden: false, addEventListener: () => undefined };
vi.stubGlobal('document', page);
vi.stubGlobal('window', page);
watchUnanswered();
afterAll(() => vi.unstubAllGlobals());

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  queryClient.clear();
  page.hidden = false;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Shows what a query answers, one after the other, the last of them ever after. */
function show(name: string, ...answers: readonly (string | CallFailed)[]) {
  const key = [name];
  const asked = { times: 0, unasked: [] as boolean[] };
  const read = async () => {
    const answer = answers[Math.min(asked.times, answers.length - 1)];
    asked.times += 1;
    asked.unasked.push(failedBefore(key) !== undefined);
    if (answer instanceof CallFailed) throw answer;
    return answer;
  };
  const observer = new QueryObserver(queryClient, { queryKey: key, queryFn: read });
  const end = observer.subscribe(() => undefined);
  return { asked, end, data: () => observer.getCurrentResult().data };
}

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

it('what got no answer is asked for again until one comes, behind the operator’s back', async () => {
  const list = show('list', noAnswer(), noAnswer(), 'rows');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(list.asked.times).toBe(1);
  await minutes(1);
  expect(list.data()).toBe('rows');
  await minutes(10);
  expect(list.asked).toEqual({ times: 3, unasked: [false, true, true] });
});

it('is asked for ever more rarely while it is in vain, and soon once the server is heard of', async () => {
  const list = show('list', noAnswer());
  await minutes(30);
  const { times } = list.asked;
  expect(times).toBeLessThan(40);
  expect(times).toBeGreaterThan(20);
  askAgainSoon();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(list.asked.times).toBe(times + 1);
});

it('is left alone where nobody looks, and where it was refused', async () => {
  const refused = show('refused', new CallFailed('权限不足!', true));
  const left = show('left', noAnswer());
  left.end();
  const hidden = show('hidden', noAnswer(), 'rows');
  page.hidden = true;
  await minutes(5);
  expect([refused, left, hidden].map(({ asked }) => asked.times)).toEqual([1, 1, 1]);
  page.hidden = false;
  askAgainSoon();
  await minutes(5);
  expect([refused, left, hidden].map(({ asked }) => asked.times)).toEqual([1, 1, 2]);
});
