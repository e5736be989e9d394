import { expect, it } from 'vitest';
import { recordedFields, recordedRowFields, rowsNamedIn } from '#contract/recorded-fields.ts';
import { changedLines } from './changed-lines.ts';
import { changedRows } from './changed-rows.ts';

const tablesOf = (record: Parameters<typeof changedLines>[0]) =>
  changedRows(changedLines(record, recordedFields(record.call)), recordedRowFields(record.call)).map(
    ({ label, columns, rows }) => ({
      ...{ label, columns: columns.map((column) => [column.label, column.ref]) },
      rows: rows.map(({ kind, cells }) => [
        kind,
        ...cells.map(({ before, after }) => (before ? `${before.text} → ${after.text}` : after.text)),
      ]),
    }),
  );

const change = {
  call: 'setOdds',
  input: { playWayId: 3, rows: [{ odds: '90000', seen: '2', numberId: 11 }] },
  before: {
    odds: [
      { id: 1, numberId: 11, odds: '2' },
      { id: 2, numberId: 12, odds: '3' },
    ],
  },
  after: {
    odds: [
      { id: 1, numberId: 11, odds: '90000' },
      { id: 4, numberId: 13, odds: '5' },
    ],
  },
};

it('lists of rows are tables in the contract’s words: what was sent, and each row before and after', () => {
  expect(tablesOf(change)).toEqual([
    {
      label: '赔率表（rows）：提交内容',
      columns: [
        ['号码', 'gameNumber'],
        ['赔率', undefined],
        ['原赔率', undefined],
      ],
      rows: [[undefined, '11', '90000', '2']],
    },
    {
      label: '赔率（odds）：变更前后',
      columns: [
        ['编号', undefined],
        ['号码', 'gameNumber'],
        ['赔率', undefined],
      ],
      rows: [
        ['修改', '1', '11', '2 → 90000'],
        ['删除', '2', '12', '3'],
        ['新增', '4', '13', '5'],
      ],
    },
  ]);
});

it('rows that are to be added have no numbers yet, and are all told', () => {
  const added = { call: 'setOdds', after: { odds: [{ odds: '2' }, { odds: '3' }] } };
  expect(tablesOf(added)[0]?.rows).toEqual([
    ['新增', '2'],
    ['新增', '3'],
  ]);
});

it('the rows that listed rows name are asked for by their names', () => {
  const named = rowsNamedIn(change);
  expect([...(named.get('gameNumber') ?? [])]).toEqual([11, 12, 13]);
  expect([...(named.get('playWay') ?? [])]).toEqual([3]);
});
