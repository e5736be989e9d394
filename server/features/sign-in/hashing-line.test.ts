import { describe, expect, it } from 'vitest';
import { createLine } from './hashing-line.ts';

const settings = { atOnce: 2, share: 6, roomy: 10, scarceShare: 1, most: 14 };

/** Work that ends when it is told to. */
function held() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => done };
}

describe('the line before hashing', () => {
  it('works at so much at once and no more', async () => {
    const visit = createLine(settings);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all(Array.from({ length: 6 }, () => visit('a', (inTurn) => inTurn(work))));
    expect(most).toBe(2);
  });

  it('sends an origin away that has its share inside, and nobody else', async () => {
    const visit = createLine(settings);
    const { work, end } = held();
    const inside = Array.from({ length: 6 }, () => visit('a', (inTurn) => inTurn(work)));
    await expect(visit('a', (inTurn) => inTurn(work))).rejects.toMatchObject({ status: 429, retryAfter: 2 });
    inside.push(visit('b', (inTurn) => inTurn(work)));
    end();
    await Promise.all(inside);
    await visit('a', async () => {});
  });

  it('keeps a place for newcomers when it fills, and ends somewhere', async () => {
    const visit = createLine(settings);
    const { work, end } = held();
    const inside = ['a', 'b'].flatMap((origin) =>
      Array.from({ length: 5 }, () => visit(origin, (inTurn) => inTurn(work))),
    );
    await expect(visit('b', async () => {})).rejects.toMatchObject({ failure: 'signInBusy' });
    for (const origin of ['c', 'd', 'e', 'f']) inside.push(visit(origin, (inTurn) => inTurn(work)));
    await expect(visit('g', async () => {})).rejects.toMatchObject({ failure: 'signInBusy' });
    end();
    await Promise.all(inside);
  });

  it('takes origins in turn, whatever the length of their lines', async () => {
    const visit = createLine({ ...settings, atOnce: 1 });
    const order: string[] = [];
    const come = (origin: string) =>
      visit(origin, (inTurn) =>
        inTurn(async () => {
          order.push(origin);
        }),
      );
    await Promise.all([come('a'), come('a'), come('a'), come('a'), come('b'), come('b'), come('c')]);
    // The first one finds nobody before it; from then on each origin has one turn a round.
    expect(order.join('')).toBe('aabcaba');
  });

  it('gives the turn on when work fails', async () => {
    const visit = createLine({ ...settings, atOnce: 1 });
    const failing = visit('a', (inTurn) => inTurn(() => Promise.reject(new Error('broken'))));
    await expect(failing).rejects.toThrow('broken');
    expect(await visit('a', (inTurn) => inTurn(async () => 'next'))).toBe('next');
  });
});
