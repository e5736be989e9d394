import { expect, it } from 'vitest';
import { paceOfAll } from './pace.ts';

it('however many work at once, there is a slice of one of them between two turns of the event loop', async () => {
  const pace = paceOfAll();
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    const breathe = pace();
    for (let part = 0; part < 3; part++) {
      for (const end = performance.now() + 12; performance.now() < end; );
      order.push(name);
      await breathe();
    }
  };
  let ended = false;
  const turn = (): void => {
    order.push('|');
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(['a', 'b', 'c'].map(work));
  ended = true;
  // Each begins at once; from then on they take turns.
  expect(order.join('')).toMatch(/^abc(\|+a\|+b\|+c){2}\|*$/);
});
