import { expect, test } from 'vitest';
import { getUserBalance } from '#contract/platform.ts';
import { publicSettings } from '#contract/sign-in.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { startTestServer } from '#server/testing/test-server.ts';

// What docs/decisions/0030-money.md promises the players' site.
const CALLS_PER_MINUTE = 36_000;

test('36,000 calls a minute to one platform call are let through, wrong keys included, and the next is refused', async () => {
  const server = await startTestServer();
  try {
    const guess = () => server.withToken('a key somebody guessed').call(getUserBalance, { id: 1 });
    const started = performance.now();
    const code = async () => (await guess()).envelope.code;
    const codes = await inParallel(
      Array.from({ length: CALLS_PER_MINUTE }, () => code),
      32,
    );
    const seconds = (performance.now() - started) / 1_000;
    expect(seconds, 'within the minute that is counted').toBeLessThan(60);
    expect(new Set(codes)).toEqual(new Set([401]));
    const next = await guess();
    expect([next.status, Number(next.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await server.anonymous.call(publicSettings, {})).status).toBe(200);
    console.log(`${CALLS_PER_MINUTE} calls in ${seconds.toFixed(1)} s`);
  } finally {
    await server.close();
  }
});
