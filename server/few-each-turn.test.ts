import { expect, it } from 'vitest';
import { fewEachTurn } from './few-each-turn.ts';

it('lets callers in by twos, in order, and the event loop turn in between', async () => {
  const door = fewEachTurn(2);
  const order: string[] = [];
  const callers = [1, 2, 3, 4, 5].map((n) => door().then(() => order.push(`${n}`)));
  const turn = (): void => {
    order.push('turn');
    if (order.length < 8) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(callers);
  expect(order.join(' ')).toBe('1 2 turn 3 4 turn 5');
  await door();
});
