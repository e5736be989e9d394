import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import { beaconAfter } from './beacon.ts';
import { commitmentOf, drawnNumbers } from './commitment.ts';
import { demandDrawOptions } from './draw-rules.ts';

const seedNo = (n: number) => createHash('sha256').update(`${randomSeed}-${n}`).digest('hex');
const digits = Array.from({ length: 10 }, (_, n) => String(n));
const balls = Array.from({ length: 49 }, (_, n) => String(n + 1).padStart(2, '0'));

describe('a local draw', () => {
  it('follows from its seed alone', () => {
    const draw = {
      gameId: 7,
      phase: '001',
      rules: { count: 5, pool: digits, repeat: true },
      seed: 'ab'.repeat(32),
    };
    expect(drawnNumbers(draw)).toEqual(drawnNumbers({ ...draw }));
    expect(commitmentOf(draw)).toBe(
      createHash('sha256')
        .update(`game 7\nphase 001\ndraw 5 of 0,1,2,3,4,5,6,7,8,9 repeat\n${'ab'.repeat(32)}`)
        .digest('hex'),
    );
    for (const other of [
      { gameId: 8 },
      { phase: '1' },
      { seed: 'ac'.repeat(32) },
      { rules: { ...draw.rules, count: 4 } },
    ])
      expect(commitmentOf({ ...draw, ...other })).not.toBe(commitmentOf(draw));
  });

  it('follows from its seed and a public value where its promise names a beacon', () => {
    const beacon = {
      address: 'https://beacon.example/public/4321',
      value: '$.randomness',
      time: 1_600_000_060,
      waitMinutes: 60,
    };
    const rules = { count: 5, pool: digits, repeat: true, beacon };
    const draw = { gameId: 7, phase: '2026001', rules, seed: '0123456789abcdef'.repeat(4) };
    // Computed by another program, after the description on the verification page.
    expect(commitmentOf(draw)).toBe('643cb08d3d8fd44f45ece3b3a4b8c1b8207c15135fc417653bd1088269d44477');
    expect(drawnNumbers(draw, 'c0ffee').join()).toBe('0,5,3,1,1');
    expect(drawnNumbers(draw, 'c0ffef').join()).not.toBe('0,5,3,1,1');
    for (const other of [{ time: 1 }, { waitMinutes: 1 }, { value: '$.x' }, { address: 'https://x/' }])
      expect(commitmentOf({ ...draw, rules: { ...rules, beacon: { ...beacon, ...other } } })).not.toBe(
        commitmentOf(draw),
      );
  });

  it('waits for the first round that comes after the draw time', () => {
    const options = {
      url: 'https://b/{round}?at={time}',
      value: '$.r',
      genesis: 1_000,
      period: 30,
      waitMinutes: 5,
    };
    const rest = { value: '$.r', waitMinutes: 5 };
    expect(beaconAfter(options, 1_000)).toEqual({ ...rest, address: 'https://b/2?at=1030', time: 1_030 });
    expect(beaconAfter(options, 1_029.9)).toMatchObject({ time: 1_030 });
    expect(beaconAfter(options, 1_030)).toMatchObject({ address: 'https://b/3?at=1060', time: 1_060 });
    expect(beaconAfter(options, 10)).toMatchObject({ address: 'https://b/1?at=1000', time: 1_000 });
  });

  it('draws no number twice unless it may', () => {
    for (let n = 0; n < 200; n++) {
      const drawn = drawnNumbers({ rules: { count: 49, pool: balls, repeat: false }, seed: seedNo(n) });
      expect(drawn.toSorted()).toEqual(balls);
    }
  });

  // The sum of squared deviations over the expectation; its 99.999 % point is 46.2 for 9 and 109.3 for 48 degrees of freedom.
  const chiSquare = (counts: readonly number[], total: number): number => {
    const expected = total / counts.length;
    return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  };

  it('gives every number of the pool the same chance, at every position', () => {
    const rounds = 5_000;
    const seen = Array.from({ length: 7 }, () => balls.map(() => 0));
    for (let n = 0; n < rounds; n++)
      drawnNumbers({ rules: { count: 7, pool: balls, repeat: false }, seed: seedNo(n) }).forEach(
        (ball, place) => {
          const counts = seen[place] ?? [];
          counts[Number(ball) - 1] = (counts[Number(ball) - 1] ?? 0) + 1;
        },
      );
    for (const counts of seen) expect(chiSquare(counts, rounds)).toBeLessThan(109.3);
    const first = digits.map(() => 0);
    for (let n = 0; n < rounds; n++) {
      const digit = Number(
        drawnNumbers({ rules: { count: 1, pool: digits, repeat: true }, seed: seedNo(n) })[0],
      );
      first[digit] = (first[digit] ?? 0) + 1;
    }
    expect(chiSquare(first, rounds)).toBeLessThan(46.2);
  });

  it('takes only rules that can be drawn by', () => {
    const good = '{"count": 2, "pool": ["1", "2"], "repeat": false}';
    expect(demandDrawOptions(good)).toEqual({ count: 2, pool: ['1', '2'], repeat: false });
    const bad = [
      null,
      '',
      '[]',
      '{"count":3,"pool":["1","2"]}',
      '{"count":1,"pool":["1","1"]}',
      '{"count":1,"pool":[]}',
    ];
    for (const options of bad) expect(() => demandDrawOptions(options)).toThrow('采集选项须为');
    expect(() => demandDrawOptions('{"count":3,"pool":["1","2"],"repeat":true}')).not.toThrow();
  });
});
