import { expect, test } from 'vitest';
import { availableAfter } from './available-after.ts';

const account = { availableAmount: '999999999999.10', debt: '0.00' };

test('what is left is exact, where a double would round', () => {
  expect(availableAfter(account, 1, '0.0001')).toBe('999999999999.1001');
  expect(availableAfter(account, -1, '0.1001')).toBe('999999999998.9999');
  expect(availableAfter({ availableAmount: '0.00', debt: '0.00' }, 1, '12')).toBe('12.0000');
});

test('nothing is told while the amount is none, too exact, or more than there is', () => {
  for (const amount of [undefined, '', '0', '1e3', '1.00001', '-1', 'x', ' 12'])
    expect(availableAfter(account, 1, amount), String(amount)).toBeUndefined();
  expect(availableAfter({ availableAmount: '5.00', debt: '0.00' }, -1, '5.0001')).toBeUndefined();
  expect(availableAfter({ availableAmount: '5.00', debt: '0.00' }, -1, '5')).toBe('0.0000');
});

test('what comes in pays off what is owed first', () => {
  const debtor = { availableAmount: '0.00', debt: '70.5' };
  expect(availableAfter(debtor, 1, '70')).toBe('0.0000');
  expect(availableAfter(debtor, 1, '70.5001')).toBe('0.0001');
});
