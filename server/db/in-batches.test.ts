import { expect, it } from 'vitest';
import { DatabaseUnavailable } from './driver/outage.ts';
import { inBatches } from './in-batches.ts';

/** Work that ends when it is told to. */
function slowWork() {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const work = async (items: readonly number[]): Promise<readonly number[]> => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items;
  };
  return { batches, work, end: (place: number) => ends[place]?.() };
}

/** These batches do not fail. */
const alone = () => Promise.reject(new Error('nobody is tried alone'));

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

it('who comes while a batch is under way goes with the next, which begins before those of the first are told', async () => {
  const { batches, work, end } = slowWork();
  const add = inBatches({ together: work, alone }, { most: 64, lanes: 2, enough: 64 });
  const begunWhenTold = upTo(1, 3).map((item) => add(item).then(() => batches.length));
  await expect.poll(() => batches).toEqual([[1, 2, 3]]);
  const later = upTo(4, 9).map(add);
  end(0);
  expect(await Promise.all(begunWhenTold)).toEqual([2, 2, 2]);
  expect(batches[1]).toEqual(upTo(4, 9));
  end(1);
  expect(await Promise.all(later)).toEqual(upTo(4, 9));
});

it('a flood has a second batch beside the first', async () => {
  const { batches, work, end } = slowWork();
  const add = inBatches({ together: work, alone }, { most: 4, lanes: 2, enough: 4 });
  const all = upTo(1, 10).map(add);
  await expect.poll(() => batches).toEqual([upTo(1, 4), upTo(5, 8)]);
  end(0);
  end(1);
  await expect.poll(() => batches).toEqual([upTo(1, 4), upTo(5, 8), [9, 10]]);
  end(2);
  expect(await Promise.all(all)).toEqual(upTo(1, 10));
});

it('one that comes while a batch takes long does not wait for its end', async () => {
  const { batches, work, end } = slowWork();
  const add = inBatches({ together: work, alone }, { most: 64, lanes: 2, enough: 64 });
  const first = add(1);
  await expect.poll(() => batches).toEqual([[1]]);
  const second = add(2);
  await expect.poll(() => batches).toEqual([[1], [2]]);
  end(1);
  expect(await second).toBe(2);
  end(0);
  expect(await first).toBe(1);
});

it('what breaks a batch is tried one by one, and each fails alone; the next one begins', async () => {
  const batches: (readonly number[])[] = [];
  const together = async (items: readonly number[]) => {
    batches.push(items);
    if (items.includes(2)) throw new Error('broken together');
    return items;
  };
  const add = inBatches(
    {
      together,
      alone: async (item: number) => {
        if (item === 2) throw new Error('broken alone');
        return item * 10;
      },
    },
    { most: 3, lanes: 1 },
  );
  const told = await Promise.allSettled(upTo(1, 4).map(add));
  expect(batches).toEqual([[1, 2, 3], [4]]);
  expect(told).toMatchObject([
    { value: 10 },
    { reason: { message: 'broken alone' } },
    { value: 30 },
    { value: 4 },
  ]);
});

it('of one that came alone, and of one whose fate nobody knows, the failure is told as it is', async () => {
  const tried: number[] = [];
  const add = inBatches(
    {
      together: async (items: readonly number[]): Promise<readonly number[]> => {
        throw items.length === 1 ? new Error('broken') : new DatabaseUnavailable();
      },
      alone: async (item: number) => tried.push(item),
    },
    { most: 2, lanes: 1 },
  );
  const told = await Promise.allSettled(upTo(1, 3).map(add));
  expect(told.map((each) => each.status === 'rejected' && each.reason.constructor.name)).toEqual([
    ...['DatabaseUnavailable', 'DatabaseUnavailable', 'Error'],
  ]);
  expect(tried).toEqual([]);
});
