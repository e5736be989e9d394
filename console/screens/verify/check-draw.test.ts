import { expect, it } from 'vitest';
import { checkDraw } from './check-draw.ts';

const draw = {
  gameId: 7,
  gameName: '',
  phase: '2026001',
  commitment: '',
  commitTime: '',
  startTime: null,
  endTime: null,
  seed: null,
  beaconValue: null,
  result: null,
  voided: null,
};
const seed = '0123456789abcdef'.repeat(4);
const balls = Array.from({ length: 49 }, (_, n) => String(n + 1).padStart(2, '0'));
const digits = [...'0123456789'];

// What the server promises and draws from this seed.
it('computes in the browser what the server promised and drew', async () => {
  expect(await checkDraw({ ...draw, rules: { count: 7, pool: balls, repeat: false } }, seed)).toMatchObject({
    commitment: '89be97bd550c6e3d40aae75d436996d035fc0e6e298d41c8ddefd6c1faea390b',
    result: '18,13,19,43,36,17,25',
  });
  expect(await checkDraw({ ...draw, rules: { count: 5, pool: digits, repeat: true } }, seed)).toMatchObject({
    commitment: '6457d855f15c2d6da2704aa9d4718a529736e23e005e7441bc81d83a715fa9e4',
    result: '2,2,4,3,7',
  });
  const beacon = {
    address: 'https://beacon.example/public/4321',
    value: '$.randomness',
    time: 1_600_000_060,
    waitMinutes: 60,
  };
  const mixed = { ...draw, beaconValue: 'c0ffee', rules: { count: 5, pool: digits, repeat: true, beacon } };
  expect(await checkDraw(mixed, seed)).toMatchObject({
    commitment: '643cb08d3d8fd44f45ece3b3a4b8c1b8207c15135fc417653bd1088269d44477',
    result: '0,5,3,1,1',
  });
});
