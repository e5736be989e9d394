import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { GrowingSums } from './growing-sums.ts';

/** A process that has counted so much. */
async function counted(calls: number) {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'calls_total', help: 'calls', registers }).inc(calls);
  new Gauge({ name: 'open', help: 'open', registers }).set(calls);
  const seconds = new Histogram({ name: 'seconds', help: 'seconds', buckets: [1], registers });
  for (let call = 0; call < calls; call++) seconds.observe(0.5);
  return [await registry.getMetricsAsJSON()];
}
const figures = (text: string) =>
  ['calls_total', 'open', 'seconds_count'].map((name) =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]),
  );

it('what processes have counted never falls, though one says nothing for a moment, or ends and another begins', async () => {
  const sums = new GrowingSums<string>();
  const told = async (...processes: [name: string, calls: number][]) =>
    figures(
      await sums.text(
        new Map(
          await Promise.all(
            processes.map(async ([name, calls]) => [name, calls < 0 ? [] : await counted(calls)] as const),
          ),
        ),
      ),
    );
  expect(await told(['one', 5], ['two', 7])).toEqual([12, 12, 12]);
  expect(await told(['one', 6], ['two', -1])).toEqual([13, 6, 13]);
  sums.end('two');
  expect(await told(['one', 6])).toEqual([13, 6, 13]);
  expect(await told(['one', 8], ['three', 1])).toEqual([16, 9, 16]);
  sums.end('three');
  // One that ends before it has told anything leaves nothing.
  sums.end('four');
  expect(await told(['one', 8])).toEqual([16, 8, 16]);
});
