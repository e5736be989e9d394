import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { exportPlaces, type Place, type ReaderTooSlow } from './export-places.ts';

const places = () => exportPlaces({ atOnce: 2, waitMs: 400, graceMs: 100, bytesPerSecond: 1_000 });

/** Everybody else is somebody of their own. */
let callers = 1;

/** Takes a place that is left as soon as it is given up, and tells whether it was. */
async function reader(of: { take(caller: number): Promise<Place> }, caller = callers++) {
  const place = await of.take(caller);
  const given: ReaderTooSlow[] = [];
  place.onGivenUp((reason) => {
    given.push(reason);
    place.leave();
  });
  return { place, isGivenUp: () => given.length > 0 };
}

describe('the places of exports', () => {
  it('are taken in the order of asking as others leave', async () => {
    const all = places();
    const [first, second] = [await reader(all), await reader(all)];
    for (const { place } of [first, second]) place.took(1_000_000);
    const order: string[] = [];
    const third = reader(all).then(() => order.push('third'));
    const fourth = reader(all).then(() => order.push('fourth'));
    first.place.leave();
    await third;
    second.place.leave();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('none that comes free in time is a refusal, and the line moves on without whoever left it', async () => {
    const all = places();
    const [first, second] = [await reader(all), await reader(all)];
    for (const { place } of [first, second]) place.took(1_000_000);
    await expect(all.take(callers++)).rejects.toThrow('正在进行的导出过多，请稍后再试');
    const next = reader(all);
    first.place.leave();
    first.place.leave();
    (await next).place.took(1_000_000);
    expect((await next).isGivenUp()).toBe(false);
    await expect(all.take(callers++)).rejects.toThrow();
  });

  it('the slowest reader gives way to whoever waits, and only then', async () => {
    const all = places();
    const [slow, quick] = [await reader(all), await reader(all)];
    slow.place.took(10);
    quick.place.took(1_000_000);
    await sleep(300);
    expect([slow.isGivenUp(), quick.isGivenUp()]).toEqual([false, false]);
    await reader(all);
    expect([slow.isGivenUp(), quick.isGivenUp()]).toEqual([true, false]);
  });

  it('a reader that has just begun is left its time', async () => {
    const all = places();
    const [one, two] = [await reader(all), await reader(all)];
    const began = performance.now();
    await reader(all);
    expect(performance.now() - began).toBeGreaterThan(80);
    expect([one.isGivenUp(), two.isGivenUp()].filter(Boolean)).toHaveLength(1);
  });

  it('one caller never has all of them, and of those in line the next is who has the fewest', async () => {
    const [eager, other, third] = [callers++, callers++, callers++];
    const all = exportPlaces({ atOnce: 3, waitMs: 400, graceMs: 100_000 });
    const own = [await reader(all, eager), await reader(all, eager)];
    const order: string[] = [];
    const more = [1, 2].map((n) => reader(all, eager).then(() => order.push(`more ${n}`)));
    // A place is free, though two stand in line.
    const others = await reader(all, other);
    const again = reader(all, other).then(() => order.push('again'));
    const late = reader(all, third).then(() => order.push('late'));
    own[0]?.place.leave();
    await late;
    others.place.leave();
    await again;
    own[1]?.place.leave();
    await Promise.race(more);
    expect(order).toEqual(['late', 'again', 'more 1']);
    await Promise.allSettled(more);
  });

  it('whoever would have all of them waits in vain while others could come', async () => {
    const all = places();
    const eager = callers++;
    const { place } = await reader(all, eager);
    place.took(1_000_000);
    await expect(all.take(eager)).rejects.toThrow('正在进行的导出过多，请稍后再试');
    await reader(all);
  });
});
