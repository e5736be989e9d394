import { expect, it } from 'vitest';
import { inEveryZone } from '#server/testing/in-every-zone.ts';

it('plans are the very same whatever the zone of the process and of the database', async () => {
  // New York puts its clocks forward and back on the first two, the Chathams theirs on the others.
  const days = ['2031-03-09', '2031-11-02', '2031-04-05', '2031-09-27'];
  const said = await inEveryZone('plans', 'America/New_York', { days });
  expect(said.size).toBe(8);
  const [first] = said.values();
  // In the order of time: a day of 23 hours, two of 24, one of 25.
  expect(first).toHaveLength(23 + 24 + 24 + 25);
  expect(first?.at(0)).toEqual({
    phase: expect.stringMatching(/^20310309/),
    from: Date.parse('2031-03-09T00:00:00-05:00') / 1_000,
    to: Date.parse('2031-03-09T01:00:00-05:00') / 1_000,
  });
  for (const [zones, plans] of said) expect(plans, zones).toEqual(first);
}, 180_000);
