import { expect, it } from 'vitest';
import { recordedFields } from '#contract/recorded-fields.ts';
import { changedLines } from './changed-lines.ts';

const linesOf = (record: Parameters<typeof changedLines>[0]) =>
  changedLines(record, recordedFields(record.call)).map(({ input, before, after, ...line }) => ({
    ...{ ...line, input: input.text, before: before.text, after: after.text },
  }));

it('sets each field’s value before and after side by side, in the contract’s words', () => {
  const change = {
    call: 'updateNews',
    input: { id: 1, categoryId: 2, title: '乙', important: true },
    before: { id: 1, categoryId: 3, title: '甲', important: true },
    after: { id: 1, categoryId: 2, title: '乙', important: true },
  };
  expect(linesOf(change)).toEqual([
    { label: '编号（id）', ref: undefined, input: '1', before: '1', after: '1', changed: false },
    {
      ...{ label: '新闻分类（categoryId）', ref: 'newsCategory', changed: true },
      ...{ input: '2', before: '3', after: '2' },
    },
    { label: '标题（title）', ref: undefined, input: '乙', before: '甲', after: '乙', changed: true },
    { label: '重要（important）', ref: undefined, input: '是', before: '是', after: '是', changed: false },
  ]);
});

it('knows the fields of the row also where the call takes only its id', () => {
  const lines = linesOf({ call: 'deleteNews', input: { id: 1 }, before: { id: 1, categoryId: 3 } });
  expect(lines[1]).toMatchObject({ label: '新闻分类（categoryId）', ref: 'newsCategory', before: '3' });
  expect(lines.some((line) => line.changed)).toBe(false);
});

it('sets a bare list beside the field that sent the new one', () => {
  const change = { call: 'bindRoleMenus', input: { rid: 2, menuIds: [1, 2] }, before: [1], after: [1, 2] };
  expect(linesOf(change)).toEqual([
    { label: '角色（rid）', ref: 'role', input: '2', before: '—', after: '—', changed: false },
    {
      ...{ label: '菜单（menuIds）', ref: 'menu', changed: true },
      ...{ input: '1、2', before: '1', after: '1、2' },
    },
  ]);
});

it('tells the sums of an account in its words wherever money moved, and leads to whose row it was', () => {
  const change = { input: { id: 3 }, before: { totalAmount: '10000.00' }, after: { totalAmount: '8000.00' } };
  const [order, sum] = linesOf({ call: 'markWithdrawal', ...change });
  expect(order).toMatchObject({ label: '订单编号（id）', ref: 'withdrawal' });
  expect(sum).toMatchObject({ label: '总金额（totalAmount）', before: '10,000.00', after: '8,000.00' });
  expect(linesOf({ call: 'reviewDeposit', ...change })[0]).toMatchObject({ ref: 'deposit' });
  expect(linesOf({ call: 'addBalance', ...change })[0]).toMatchObject({
    label: '账户（id）',
    ref: 'account',
  });
});

it('says in words that a list is empty', () => {
  const lines = linesOf({ call: 'bindRoleMenus', input: { rid: 2, menuIds: [1] }, before: [], after: [1] });
  expect(lines[1]).toMatchObject({ before: '无', after: '1', changed: true });
});

it('shows a change of a call that there is no more, and one without content', () => {
  expect(linesOf({ call: 'gone', input: { id: 2 }, before: [1], after: [1, 2] })).toEqual([
    { label: 'id', ref: undefined, input: '2', before: '—', after: '—', changed: false },
    { label: '内容', ref: undefined, input: '—', before: '1', after: '1、2', changed: true },
  ]);
  expect(linesOf({ call: 'updateNews', input: null })).toEqual([]);
});

it('heads rows that changed along with the one the call is about by what they are', () => {
  const change = { call: 'addGame', input: {}, after: { game_number: [{ number: '01' }] } };
  expect(linesOf(change)).toEqual([
    { label: '号码', ref: undefined, input: '—', before: '—', after: '1 行', changed: false },
  ]);
});

it('writes money as it is written everywhere, and leaves what is none as it was sent', () => {
  const inputOf = (balance: unknown) =>
    linesOf({ call: 'addBalance', input: { id: 1, balance } }).find(({ label }) => /balance/.test(label))
      ?.input;
  expect(inputOf('1234567.5')).toBe('1,234,567.50');
  expect(inputOf(100)).toBe('100.00');
  expect(inputOf('1e3')).toBe('1e3');
});

it('says what a value is made of, and what of its items, in the contract’s words', () => {
  const rule = { parts: [{ count: 2, of: ['0', '1'], repeat: true, ordered: false }] };
  const sides = { before: { resultRule: null }, after: { resultRule: rule } };
  const [line] = linesOf({ call: 'updateGame', ...sides });
  expect(line).toMatchObject({
    before: '—',
    after: '结果组成：个数：2，号码范围：0、1，可重复：是，分先后：否',
  });
  const selection = {
    kind: 'GROUP',
    parts: [
      { repeat: 2, choose: 1 },
      { repeat: 1, choose: 1 },
    ],
    of: ['0', '1'],
  };
  expect(linesOf({ call: 'updatePlayWay', input: { selection } })[0]?.input).toBe(
    '组选（按重复次数），可选号码：0、1，各部分：重复次数：2，选择个数：1；重复次数：1，选择个数：1',
  );
  // What the contract knows nothing of stands as it came.
  expect(linesOf({ call: 'updateGame', input: { gone: { a: [1, 2] } } })[0]?.input).toBe('a：1、2');
});
