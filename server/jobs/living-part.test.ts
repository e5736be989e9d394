import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { type LivingPart, startPart } from './living-part.ts';
import { measured } from './measures.ts';
import type { JobServices, Part } from './part.ts';
import { createSignal } from './signal.ts';

let server: TestServer;
let services: JobServices;
const told: { details: object; message: string }[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const { db, config } = server;
  const tell = (details: object, message: string) => told.push({ details, message });
  const log = { info: () => {}, warn: tell, error: tell };
  services = { db, config, vault: createVault(config.secret), clock: () => new Date(), log };
});
const living: LivingPart[] = [];
afterEach(async () => {
  for (const part of living.splice(0)) await part.stop();
});
afterAll(() => server.close());

const start = (part: Omit<Part, 'what'>, mayWork = () => true): LivingPart => {
  const started = startPart({ what: '试', ...part }, services, mayWork, 500);
  living.push(started);
  return started;
};
const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
};

describe('a part', () => {
  it('takes its turn when the rows say so, not before and not long after, without looking all the time', async () => {
    const due = Date.now() + 900;
    let looks = 0;
    const turns: number[] = [];
    start({
      name: 'by-rows',
      everyMs: 400,
      nextDue: async () => {
        looks++;
        return turns.length === 0 ? due : undefined;
      },
      run: async () => {
        turns.push(Date.now());
      },
    });
    await expect.poll(() => turns.length, { timeout: 30_000 }).toBe(1);
    // A timer and the clock round apart, by a millisecond each.
    expect(turns[0]).toBeGreaterThanOrEqual(due - 2);
    expect((turns[0] ?? 0) - due).toBeLessThan(500);
    expect(looks).toBeLessThanOrEqual(5);
    expect(await metric('background_lag_seconds_count{part="by-rows"}')).toBe(1);
  });

  it('comes back slower and slower to what is due and stays so, until something else is', async () => {
    let due = Date.now();
    const turns: number[] = [];
    const part = start({
      name: 'stuck',
      everyMs: 60_000,
      patienceMs: 10,
      nextDue: async () => due,
      run: async () => {
        turns.push(performance.now());
      },
    });
    await expect.poll(() => turns.length, { timeout: 30_000 }).toBe(6);
    const pauses = turns.slice(1).map((at, place) => at - (turns[place] ?? 0));
    for (const [place, pause] of pauses.entries()) expect(pause).toBeGreaterThan(18 * 2 ** (place + 1));
    expect(part.trouble()).toEqual({ part: 'stuck', what: '试', trouble: 'overdue' });
    due = Date.now() + 60_000;
    await expect.poll(() => part.trouble(), { timeout: 30_000 }).toBeUndefined();
  });

  it('whose look fails counts it, is in trouble, and looks again', async () => {
    let looks = 0;
    let turns = 0;
    const part = start({
      name: 'cannot-look',
      everyMs: 1_000,
      nextDue: async () => {
        if (++looks === 1) throw new RangeError('no rows to look at');
        return looks === 2 ? Date.now() : undefined;
      },
      run: async () => {
        turns++;
      },
    });
    await expect.poll(() => part.trouble()?.trouble).toBe('failing');
    expect(await metric('background_trouble{part="cannot-look"}')).toBe(1);
    await expect.poll(() => turns, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => part.trouble()).toBeUndefined();
    expect(await metric('background_trouble{part="cannot-look"}')).toBe(0);
    expect(await metric('background_failures_total{part="cannot-look"}')).toBe(1);
  });

  it('that cannot even tell whether to give way ends nothing but its own turn', async () => {
    let asked = 0;
    let turns = 0;
    start({
      name: 'cannot-tell',
      everyMs: 1_000,
      givesWay: () => {
        if (++asked === 1) throw new Error('who knows');
        return false;
      },
      run: async () => {
        turns++;
      },
    });
    await expect.poll(() => turns, { timeout: 30_000 }).toBe(1);
    expect(await metric('background_failures_total{part="cannot-tell"}')).toBe(1);
  });

  it('whose look hangs is overdue', async () => {
    const part = start({
      name: 'looks-for-ever',
      everyMs: 10,
      patienceMs: 50,
      nextDue: () => new Promise(() => {}),
      run: async () => {},
    });
    await expect.poll(() => part.trouble()?.trouble).toBe('overdue');
    expect(await metric('background_overdue_seconds{part="looks-for-ever"}')).toBeGreaterThan(0.04);
    expect(await metric('background_trouble{part="looks-for-ever"}')).toBe(1);
  });

  it('hears a word that comes in the middle of its turn', async () => {
    const word = createSignal();
    let turns = 0;
    start({
      name: 'hears',
      firstMs: 60_000,
      everyMs: 60_000,
      wokenBy: word,
      run: async () => {
        if (++turns === 1) word.give();
        await sleep(20);
      },
    });
    word.give();
    await expect.poll(() => turns).toBe(2);
    await sleep(200);
    expect(turns).toBe(2);
  });

  it('gives way to what is more urgent, though not for ever', async () => {
    const began = performance.now();
    const turns: number[] = [];
    let isUrgent = true;
    start({
      name: 'polite',
      everyMs: 1,
      givesWay: () => isUrgent,
      run: async () => {
        turns.push(performance.now());
      },
    });
    await expect.poll(() => turns.length, { timeout: 30_000 }).toBe(1);
    expect((turns[0] ?? 0) - began).toBeGreaterThan(2_900);
    isUrgent = false;
    await expect.poll(() => turns.length, { interval: 10, timeout: 1_500 }).toBeGreaterThan(3);
  });

  it('rests while the server may not work, unless it does nothing by the clock', async () => {
    let mayWork = false;
    const turns: string[] = [];
    const run = (name: string) => async () => {
      turns.push(name);
    };
    start({ name: 'by-clock', everyMs: 600_000, run: run('by-clock') }, () => mayWork);
    start({ name: 'any-clock', everyMs: 600_000, anyClock: true, run: run('any-clock') }, () => mayWork);
    await expect.poll(() => turns).toEqual(['any-clock']);
    await sleep(1_200);
    expect(turns).toEqual(['any-clock']);
    mayWork = true;
    await expect.poll(() => turns, { timeout: 3_000 }).toEqual(['any-clock', 'by-clock']);
  });

  it('that hangs is waited for by a stop for three seconds, no longer', async () => {
    const begun = Promise.withResolvers<void>();
    const run = () => {
      begun.resolve();
      return new Promise<void>(() => {});
    };
    const part = startPart({ name: 'hangs', what: '试', everyMs: 60_000, run }, services, () => true);
    await begun.promise;
    const asked = performance.now();
    await part.stop();
    expect(performance.now() - asked).toBeGreaterThan(2_900);
    expect(performance.now() - asked).toBeLessThan(4_500);
  });

  it('is waited for with what it left running beside its turns', async () => {
    let ended = false;
    const begun = Promise.withResolvers<void>();
    const part = start({
      name: 'beside',
      everyMs: 60_000,
      run: async (_, turn) => {
        void turn.beside('beside-runs', async () => {
          begun.resolve();
          await sleep(300);
          ended = true;
        });
      },
    });
    await begun.promise;
    await part.stop();
    expect(ended).toBe(true);
    expect(await metric('background_runs_total{part="beside-runs"}')).toBe(1);
  });
});

it('a turn is counted and timed, and its failure kept; a repeated one is told once', async () => {
  const failing = () => measured(services.log, 'test-part', () => Promise.reject(new TypeError('it broke')));
  expect([await failing(), await failing()]).toEqual([false, false]);
  expect(await measured(services.log, 'test-part', async () => {})).toBe(true);
  expect(await metric('background_runs_total{part="test-part"}')).toBe(3);
  expect(await metric('background_run_seconds_count{part="test-part"}')).toBe(3);
  expect(await metric('background_failures_total{part="test-part"}')).toBe(2);
  const at = await metric('background_last_failure_timestamp_seconds{part="test-part",error="TypeError"}');
  expect(Math.abs(Date.now() / 1_000 - at)).toBeLessThan(10);
  expect(told.filter(({ details }) => 'part' in details && details.part === 'test-part')).toEqual([
    {
      details: {
        part: 'test-part',
        error: 'it broke',
        stack: expect.stringContaining('living-part.test.ts'),
      },
      message: 'background work failed',
    },
  ]);
});
