import { expect, it, vi } from 'vitest';
import { createNews, tellingNews } from './told-failures.ts';

it('the same words are told once in half a minute, though others come between them', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const isNews = createNews();
  expect(['full', 'full', 'away', 'full', 'away'].map(isNews)).toEqual([true, false, true, false, false]);
  vi.advanceTimersByTime(31_000);
  expect(isNews('full')).toBe(true);
  vi.useRealTimers();
});

it('an error is told by its words or else its code, and where it came from where it will not pass by itself', () => {
  const told: object[] = [];
  const tell = tellingNews((details, message) => told.push({ ...details, message }), 'it failed');
  // What a host with two addresses, neither of which answers, is told as.
  const away = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  tell(away);
  tell(away);
  tell(new TypeError('no such thing'));
  expect(told).toEqual([
    { error: 'ECONNREFUSED', message: 'it failed' },
    { error: 'no such thing', message: 'it failed', stack: expect.stringContaining('told-failures.test.ts') },
  ]);
});
