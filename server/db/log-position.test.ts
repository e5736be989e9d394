import { expect, it } from 'vitest';
import { holds } from './log-position.ts';

it('a standby holds what is wanted once it has come as far, on the same timeline: after a promotion positions say nothing', () => {
  const wanted = { at: 100, timeline: 2 };
  expect([99, 100, 101].map((at) => holds({ at, timeline: 2 }, wanted))).toEqual([false, true, true]);
  expect([1, 3].map((timeline) => holds({ at: 1_000, timeline }, wanted))).toEqual([false, false]);
});
