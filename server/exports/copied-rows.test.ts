import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import { cellOf } from './cells.ts';
import type { ExportColumn } from './columns.ts';
import { copiedRows } from './copied-rows.ts';
import { csvWriter } from './csv-writer.ts';
import type { FileWriter } from './file-writer.ts';
import { bareRows, cellXml, placedRows } from './sheet-xml.ts';
import { rowsWriter, type WrittenRows } from './written-rows.ts';

const column = (kind: ExportColumn['kind'], more: Partial<ExportColumn> = {}): ExportColumn => ({
  ...{ label: '', path: [], kind, words: undefined, say: undefined, names: undefined, parts: [] },
  ...{ between: '；', before: '' },
  ...more,
});
const columns = [
  column('id'),
  column('text'),
  column('money'),
  column('dateTime'),
  column('choice', { words: { IN: '收入', OUT: '支出,"' } }),
  column('flag', { words: { true: '是', false: '否' } }),
  column('id', { names: 'agent' }),
];
const names = new Map([['agent' as const, new Map([['7', '=代理\t七']])]]);

const pick = (...values: string[]) => fc.constantFrom(...values);
const oddText = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc
    .array(pick(' ', 'a', '7', '文', '，', '\u3000', '_x000D_', '"', ',', '\\', '\t', '\n', '\r', '&', '-'))
    .map((all) => all.join('')),
  pick('期号 20260101-7', '=1+1', '＝1', "it's", 'x'.repeat(5_000), 'x'.repeat(40_000), 'a  b', 'ab '),
);
const number = fc.oneof(
  fc.bigInt().map(String),
  pick(
    '',
    '0.10',
    '-7',
    '--7',
    '-1.5',
    '1.',
    '.5',
    '1.2.3',
    '-',
    'NaN',
    '123456789012345',
    '1234567890123456.5',
  ),
);
const moment = fc.oneof(
  fc
    .date({
      min: new Date('1899-12-28T00:00:00Z'),
      max: new Date('2199-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 19).replace('T', ' ')),
  pick('', '2026-01-02 00:00:00', '2026-01-02 12:00:00', '2026-12-31 23:59:59', 'infinity', '-infinity'),
  pick('2026-01-02 24:00:00', '2026-01-02 1', '2026-01-02', '12026-01-02 03:04:0', '2026-01-02 03:04:05.123'),
);
/** As COPY writes a moment of the database. */
const wholeMoment = fc
  .tuple(moment, pick('', '+08', '.5+08', '.123456+05:30'))
  .map((parts) => parts.join(''));
const row = fc.tuple(
  ...[number, oddText, number, wholeMoment],
  ...[pick('IN', 'OUT', '', '别的'), pick('t', 'f', ''), pick('7', '8', '')],
);

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
const asCopied = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(
    rows
      .map(
        (values) =>
          `${values.map((text) => text.replace(/[\t\n\r\\]/g, (each) => escapes[each] ?? '')).join('\t')}\n`,
      )
      .join(''),
  );

type Format = Pick<FileWriter, 'cell' | 'row'>;
const formats: [string, Format][] = [
  ['csv', csvWriter([])],
  ['xlsx', { cell: cellXml, row: placedRows }],
  ['large xlsx', { cell: cellXml, row: bareRows }],
];
const allOf = (rows: WrittenRows, first: number): string =>
  rows.take(Number.POSITIVE_INFINITY, first).bytes.toString();

it.each(formats)('rows that COPY wrote stand in a %s as their values do, one by one', (_, format) => {
  const cells = columns.map((each) => cellOf(each, names, format.cell));
  const copied = copiedRows(columns, names, format);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.integer({ min: 1, max: 1_100 }), (rows, first) => {
      const wellFormed = rows.map((values) => values.map((text) => text.toWellFormed()));
      const toTheSecond = wellFormed.map((values) => values.with(3, values[3]?.slice(0, 19) ?? ''));
      expect(allOf(copied(asCopied(wellFormed)), first)).toBe(
        allOf(rowsWriter(cells, format.row)(toTheSecond), first),
      );
    }),
    { seed: randomSeed, numRuns: 500 },
  );
});

it('takes no more rows than it is asked for, and goes on with the next', () => {
  const lines = asCopied([['1'], ['2'], ['3']]);
  const rows = copiedRows([column('text')], names, csvWriter([]))(lines);
  expect(
    [rows.take(2, 1), rows.take(2, 3), rows.take(2, 5)].map((lot) => [lot.rows, lot.bytes.toString()]),
  ).toEqual([
    [2, '1\r\n2\r\n'],
    [1, '3\r\n'],
    [0, ''],
  ]);
});
