import { describe, expect, it } from 'vitest';
import { pageWithdrawals, type Withdrawal } from '#contract/withdrawals.ts';
import { columnsOf } from './columns.ts';
import { fittedWidths, isCrowded, neededWidths, wideEnough } from './fit-columns.ts';

const columns = columnsOf<Withdrawal>(pageWithdrawals, [
  { field: 'id', width: 76 },
  'amount',
  { field: 'bankOrderNo', width: 164 },
  'fromName',
  'status',
  'createTime',
  'successTime',
]);
const widthsIn = (room: number) => fittedWidths(columns, room);
const sum = (widths: readonly (number | undefined)[]): number =>
  widths.reduce<number>((total, width) => total + (width ?? 130), 0);
const whole = sum(columns.map(({ width }) => width));
const at = (key: string) => columns.findIndex((column) => column.key === key);

describe('the widths of columns', () => {
  it('are what they like where there is room', () => {
    expect(widthsIn(whole)).toEqual(columns.map(({ width = 130 }) => width));
  });

  it('leave what is left over to text, first to what is cut', () => {
    const rows = [
      { row: { fromName: '长'.repeat(30), bankOrderNo: '1', amount: '1'.repeat(60) } as Withdrawal },
    ];
    const needed = neededWidths(columns, rows, {});
    expect(needed[at('fromName')]).toBe(30 * 13 + 22);
    expect(needed[at('amount')]).toBe(0);
    const lack = 30 * 13 + 22 - 130;
    const cut = fittedWidths(columns, whole + 100, needed);
    expect(cut[at('fromName')]).toBe(230);
    expect(cut[at('bankOrderNo')]).toBe(164);
    const wide = fittedWidths(columns, whole + lack + 400, needed);
    expect(wide[at('fromName')]).toBeGreaterThan(130 + lack);
    expect(wide[at('bankOrderNo')]).toBeGreaterThan(164);
    for (const key of ['id', 'amount', 'status', 'createTime'])
      expect(wide[at(key)]).toBe(columns[at(key)]?.width);
    expect(sum(wide)).toBeLessThanOrEqual(whole + lack + 400);
  });

  it('grow a little all together where one column of text would take all the room', () => {
    const few = columns.filter(({ key }) => key !== 'bankOrderNo');
    const widths = fittedWidths(few, 2 * sum(few.map(({ width }) => width)));
    expect(widths).toEqual(few.map(({ width = 130 }) => 2 * width));
  });

  it('fold moments first, then give in alike, none below its least', () => {
    const folded = widthsIn(whole - 100);
    expect([folded[at('createTime')], folded[at('bankOrderNo')]]).toEqual([92, 164]);
    const narrow = widthsIn(whole - 250);
    expect(sum(narrow)).toBeLessThanOrEqual(whole - 250);
    for (const [place, { least }] of columns.entries()) expect(narrow[place]).toBeGreaterThanOrEqual(least);
    expect(isCrowded(columns, 300)).toBe(true);
    expect(sum(widthsIn(300))).toBe(sum(columns.map(({ least }) => least - 8)));
  });

  it('keep what an operator gave a column, and never cut an amount off', () => {
    const set = columns.map((column) =>
      column.key === 'fromName' ? { ...column, width: 300, least: 300, set: true } : column,
    );
    expect(fittedWidths(set, 300)[at('fromName')]).toBe(300);
    const rows = [{ row: { amount: '123456789012.3456' } as Withdrawal }];
    const amount = wideEnough(columns, rows)[at('amount')];
    // 15 digits, 3 separators and a point, 8 px each at most.
    expect(amount?.least).toBeGreaterThanOrEqual(19 * 8);
    expect(wideEnough(columns, [{ row: { amount: '100.00' } as Withdrawal }])[at('amount')]).toEqual(
      columns[at('amount')],
    );
  });
});
