import { describe, expect, it } from 'vitest';
import { type Agent, pageAgents } from '#contract/agents.ts';
import { pageWithdrawals, type Withdrawal } from '#contract/withdrawals.ts';
import { columnsOf, widthOf } from './columns.ts';
import { fittedWidths as fitted, neededWidths, wideEnough } from './fit-columns.ts';

const columns = columnsOf<Withdrawal>(pageWithdrawals, [
  { field: 'id', width: 76 },
  'amount',
  { field: 'bankOrderNo', width: 164 },
  'fromName',
  'status',
  'createTime',
  'successTime',
]);
const fittedWidths = (...asked: Parameters<typeof fitted>) => fitted(...asked).widths;
const widthsIn = (room: number) => fittedWidths(columns, room);
const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);
const whole = sum(columns.map(({ width = 130 }) => width));
const at = (key: string) => columns.findIndex((column) => column.key === key);
/** Lines of these rows, none of which lies below another. */
const linesOf = (...rows: Partial<Withdrawal>[]) =>
  rows.map((row) => ({ row: row as Withdrawal, depth: 0, hasBelow: false }));
const neededBy = (...rows: Partial<Withdrawal>[]) => neededWidths(columns, linesOf(...rows), {}, false);

describe('the widths of columns', () => {
  it('are what they like where there is room', () => {
    expect(widthsIn(whole)).toEqual(columns.map(({ width = 130 }) => width));
  });

  it('leave what is left over to text, first to what is cut', () => {
    const needed = neededBy({ fromName: '长'.repeat(30), bankOrderNo: '1', amount: '100.00' });
    expect(needed[at('fromName')]).toBe(30 * 13 + 22);
    expect(needed[at('amount')]).toBeLessThan(128);
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
    const likes = few.map(({ width = 130 }) => width);
    expect(fittedWidths(few, 2 * sum(likes))).toEqual(likes.map((width) => 2 * width));
  });

  const short = neededBy({ id: 12, amount: '5.00', bankOrderNo: 'W1', fromName: '林明' });

  it('are what rows need before a moment is folded, and fold it before a heading', () => {
    const needs = columns.map(({ width = 130 }, place) => Math.min(width, short[place] ?? 0));
    const headings = columns.map(({ label }) => label.length * 13 + 22);
    const enough = needs.map((need, place) => Math.max(need, headings[place] ?? 0));
    const roomy = fittedWidths(columns, sum(enough), short);
    expect(roomy[at('createTime')]).toBe(160);
    expect(roomy[at('amount')]).toBeLessThan(128);
    const folded = fittedWidths(columns, sum(enough) - 2 * (160 - 92), short);
    expect(folded[at('createTime')]).toBe(92);
    expect(folded[at('bankOrderNo')]).toBe(headings[at('bankOrderNo')]);
    const narrow = fittedWidths(columns, sum(enough) - 2 * (160 - 92) - 10, short);
    expect(narrow[at('bankOrderNo')]).toBeLessThan(headings[at('bankOrderNo')] ?? 0);
    expect(narrow[at('bankOrderNo')]).toBeGreaterThanOrEqual(needs[at('bankOrderNo')] ?? 0);
  });

  it('cut the longest text first, then give in alike, none below its least', () => {
    const long = neededBy({ id: 12, amount: '5.00', bankOrderNo: 'W20261126123456', fromName: '欧阳明' });
    // Closer than usual, all would stand in 513.
    const close = fitted(columns, 513, long);
    expect(close.crowded).toBe(true);
    expect(close.widths[at('bankOrderNo')]).toBe(widthOf('W20261126123456') + 22 - 8);
    expect(fitted(columns, 570, long).crowded).toBe(false);
    const cut = fittedWidths(columns, 460, long);
    expect(cut[at('fromName')]).toBe(3 * 13 + 22 - 8);
    expect(cut[at('bankOrderNo')]).toBeLessThan(100);
    expect(sum(cut)).toBeLessThanOrEqual(460);
    expect(sum(widthsIn(300))).toBe(sum(columns.map(({ least }) => least - 8)));
  });

  it('keep the longest word of a heading whole', () => {
    const labelled = columnsOf<Withdrawal>(pageWithdrawals, [{ field: 'amount', label: 'Withdrawal fee' }]);
    const needed = neededWidths(labelled, linesOf({ amount: '5.00' }), {}, false);
    expect(fittedWidths(labelled, 60, needed)[0]).toBeGreaterThanOrEqual(widthOf('Withdrawal') + 22 - 8);
  });

  it('fold a choice of several words last of all, between its words', () => {
    const { field, ...status } = columns[at('status')] as (typeof columns)[number];
    const words = { A: 'Bank transfer', B: 'Third party' };
    const named = { ...status, field: { ...field, words } as typeof field, width: 160, least: 101 };
    const [needed] = neededWidths([named], linesOf({ status: 'FAIL' }), {}, false);
    expect(needed).toBe(widthOf('Bank transfer') + 16 + 22);
    expect(fittedWidths([named], needed ?? 0, [needed ?? 0])).toEqual([needed]);
    expect(fittedWidths([named], 1, [needed ?? 0])).toEqual([101 - 8]);
  });

  it('leave room for what opens a row of a tree, and for how deep it lies', () => {
    const [row] = linesOf({ id: 1 });
    const lying = (depth: number) => [{ ...row, row: { id: 1 } as Withdrawal, depth, hasBelow: true }];
    const [flat = 0] = neededWidths(columns, lying(0), {}, false);
    expect(neededWidths(columns, lying(0), {}, true)[0]).toBe(flat + 24);
    expect(neededWidths(columns, lying(2), {}, true)[0]).toBe(flat + 2 * 16 + 24);
  });

  it('keep what an operator gave a column, and never cut an amount off', () => {
    const set = columns.map((column) =>
      column.key === 'fromName' ? { ...column, width: 300, least: 300, set: true } : column,
    );
    // In whatever room: what no column had, the browser would spread over this one too.
    for (let room = 300; room <= 2000; room += 1) {
      const widths = fittedWidths(set, room, short);
      expect(widths[at('fromName')]).toBe(300);
      if (room >= sum(fittedWidths(set, 300, short))) expect(sum(widths)).toBe(room);
    }
    const rows = [{ row: { amount: '123456789012.3456' } as Withdrawal }];
    const amount = wideEnough(columns, rows)[at('amount')];
    // 15 digits, 3 separators and a point, 8 px each at most.
    expect(amount?.least).toBeGreaterThanOrEqual(19 * 8);
    expect(wideEnough(columns, [{ row: { amount: '100.00' } as Withdrawal }])[at('amount')]).toEqual(
      columns[at('amount')],
    );
    // Of a long page not every number is looked at.
    const many = Array.from({ length: 101 }, () => linesOf({ amount: '1.00' })).flat();
    expect(neededWidths(columns, many, {}, false)[at('amount')]).toBe(columns[at('amount')]?.least);
  });

  it('never cut the digits of a number or id off either', () => {
    const rows = [{ row: { id: 9_007_199_254_740_991, amount: '1' } as Withdrawal }];
    const needed = 16 * 8 + 22;
    expect(wideEnough(columns, rows)[at('id')]).toMatchObject({ least: needed, width: needed });
    expect(wideEnough(columns, [{ row: { id: 12 } as Withdrawal }])[at('id')]).toEqual(columns[at('id')]);
    const rate = columnsOf<Agent>(pageAgents, ['rate']);
    expect(wideEnough(rate, [{ row: { rate: '0.12345678901234' } as Agent }])[0]?.least).toBe(16 * 8 + 22);
  });
});
