import { expect, test } from 'vitest';
import { presets } from '#server/features/presets/registry.ts';
import { drawnHistory } from '#server/testing/drawn-history.ts';
import { differences, playWaysOf } from '#server/testing/preset-differences.ts';

// Every draw on record for every play way of every preset: units and what they are paid, by arithmetic and by listing them.
test.each(presets.map(({ key }) => key))('%s: every draw on record, every play way', (key) => {
  const draws = drawnHistory[key] ?? [];
  const began = performance.now();
  const found: string[] = [];
  for (const draw of draws) found.push(...differences(key, draw));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${key}: ${draws.length} draws, ${playWaysOf(key).length} play ways, ${seconds} s`);
  expect(draws.length).toBeGreaterThan(20);
  expect(found.slice(0, 20)).toEqual([]);
});
