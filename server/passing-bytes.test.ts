import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** How often V8 looks through the whole heap of a process while a gigabyte passes through it, a third of a megabyte at a time. */
function looksWhile(before: string): number {
  const program = `
    import { PerformanceObserver, constants } from 'node:perf_hooks';
    import { setImmediate } from 'node:timers/promises';
    ${before}
    const held = Array.from({ length: 400_000 }, (_, at) => ({ at, text: 'row ' + at }));
    // What building it has begun is none of what passes.
    gc();
    await setImmediate();
    let looks = 0;
    const watching = new PerformanceObserver((list) => {
      looks += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
    });
    watching.observe({ entryTypes: ['gc'] });
    for (let piece = 0; piece < 3_000; piece++) {
      Buffer.allocUnsafe(333_333);
      await setImmediate();
    }
    await setImmediate();
    console.log(held.length > 0 ? looks : 0);`;
  const run = ['--expose-gc', '--input-type=module', '-e', program];
  return Number(execFileSync(process.execPath, run, { encoding: 'utf8' }));
}

it('bytes that only pass through a server make V8 look through its heap seldom', () => {
  const passing = new URL('passing-bytes.ts', import.meta.url).href;
  const by = looksWhile(`import { letBytesPass } from '${passing}'; letBytesPass();`);
  expect(by).toBeLessThan(looksWhile('') / 2);
});
