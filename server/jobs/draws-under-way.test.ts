import { expect, it } from 'vitest';
import { watchDraws } from './draws-under-way.ts';

it('draws are near that are due in a moment or since lately; what nobody could open for long keeps no promise waiting', () => {
  const now = new Date();
  const isNear = (ms: number) => {
    const draws = watchDraws();
    draws.expect(now.getTime() + ms);
    return draws.areNear(now);
  };
  expect([-1_001, -999, 0, 99, 101].map(isNear)).toEqual([false, true, true, true, false]);
  expect(watchDraws().areNear(now)).toBe(false);
});
