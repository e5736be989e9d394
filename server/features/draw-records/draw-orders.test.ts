import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DrawWorld, drawOrders, startDrawWorld } from '#server/testing/draw-orders.ts';
import { randomSeed } from '#server/testing/random-seed.ts';

/** A sample; all of them run among the fault tests. */
const ORDERS = 80;

let world: DrawWorld;
beforeAll(async () => {
  world = await startDrawWorld();
});
afterAll(() => world.close());

it('in no order of feeding, planning, clearing, setting the phase, switching spiders, restarting and waiting is a result known before betting closes, or a promise broken', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(drawOrders, (order) => world.live(order)),
    {
      seed: randomSeed,
      numRuns: ORDERS,
    },
  );
  expect(randomSeed).toBeGreaterThan(0);
});
