import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { type DrawWorld, drawOrders, startDrawWorld } from '#server/testing/draw-orders.ts';
import { randomSeed } from '#server/testing/random-seed.ts';

const ORDERS = Number(process.env.FAULT_ORDERS ?? 2_000);

let world: DrawWorld;
beforeAll(async () => {
  world = await startDrawWorld();
});
afterAll(() => world.close());

it(`in ${ORDERS} orders of acts on two servers no result is known before betting closes, and no promise broken`, {
  timeout: 3_600_000,
}, async () => {
  let steps = 0;
  const property = fc.asyncProperty(drawOrders, async (order) => {
    steps += order.length;
    await world.live(order);
  });
  await fc.assert(property, { seed: randomSeed, numRuns: ORDERS });
  console.log('orders of acts:', { orders: ORDERS, steps, seed: randomSeed });
});
