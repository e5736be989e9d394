import { valueOfCopy } from '#server/db/driver/copy-out.ts';
import { type CellType, cellOf, cellsOf, type IdNames, type WriteCell } from './cells.ts';
import type { ExportColumn } from './columns.ts';
import { FileBytes, type Mark, markOf, NumberedMark } from './file-bytes.ts';
import type { FileWriter } from './file-writer.ts';
import { daysOf, partOfDay, serialOf } from './serials.ts';
import type { WrittenRows } from './written-rows.ts';

/*
 * Lines of COPY become rows of a file without a text of JavaScript for each value: most values stand in the file as they came, between two
 * marks. What those are, and how all others are written, says the format's own way of writing a cell.
 */

const TAB = 0x09;
const LINE_END = 0x0a;
const BLANK = 0x20;
const MINUS = 0x2d;
const POINT = 0x2e;

/** What follows the values of a column within a line. */
const isEnd = (byte: number | undefined): boolean => byte === TAB || byte === LINE_END;

/** No longer value is looked at byte by byte. */
const LONGEST_PLAIN = 4_096;

const setOf = (holds: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(holds(byte)));

/** Copies what follows as long as it is of these bytes, and tells where that ended. */
function copyWhile(these: Uint8Array, lines: Buffer, from: number, to: FileBytes): number {
  const out = to.room(LONGEST_PLAIN);
  const end = Math.min(lines.length, from + LONGEST_PLAIN);
  let each = from;
  for (let at = to.at; each < end; each++) {
    const byte = lines[each] ?? 0;
    if (these[byte] === 0) break;
    out[at++] = byte;
  }
  to.at += each - from;
  return each;
}

/** Copies a value that stands in a file as it came, in any format, and tells where it ended; elsewhere than at its end where it does not. */
type CopyPlain = (lines: Buffer, from: number, to: FileBytes) => number;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
const digits = setOf(isDigit);
/** A spreadsheet keeps so many. */
const MOST_DIGITS = 15;

const copyNumber: CopyPlain = (lines, from, to) => {
  let first = from;
  if (lines[from] === MINUS) {
    to.put(MINUS);
    first++;
  }
  const whole = copyWhile(digits, lines, first, to);
  if (whole === first || whole - first > MOST_DIGITS) return from;
  if (lines[whole] !== POINT) return whole;
  to.put(POINT);
  const end = copyWhile(digits, lines, whole + 1, to);
  return end === whole + 1 || end - first > MOST_DIGITS ? from : end;
};

const MOMENT = '2026-01-02 03:04:05';
const ZERO = 0x30;
const shape = Buffer.from(MOMENT);
/** Whether the bytes from there on look like those of the moment above: digits where it has some, and the same between them. */
const looksLikeMoment = (lines: Buffer, from: number, first: number, last: number): boolean => {
  for (let at = first; at < last; at++) {
    const byte = lines[from + at] ?? 0;
    if (isDigit(shape[at] ?? 0) ? !isDigit(byte) : byte !== shape[at]) return false;
  }
  return true;
};

/** Where a value that begins there ends. */
const endOf = (lines: Buffer, from: number): number => {
  let end = from;
  while (end < lines.length && !isEnd(lines[end])) end++;
  return end;
};

/** To the second: what COPY has behind it is left out. */
const copyMoment: CopyPlain = (lines, from, to) => {
  if (!looksLikeMoment(lines, from, 0, MOMENT.length)) return from;
  const out = to.room(MOMENT.length);
  for (let at = 0; at < MOMENT.length; at++) out[to.at++] = lines[from + at] ?? 0;
  return endOf(lines, from + MOMENT.length);
};

const DATE_LENGTH = 10;
/** Rows of a list are mostly of the same day as the one before. */
let lastDate = { date: Buffer.alloc(0), days: markOf('') };
function daysAt(lines: Buffer, from: number): Mark | undefined {
  const { date } = lastDate;
  let same = 0;
  while (same < date.length && lines[from + same] === date[same]) same++;
  if (same === DATE_LENGTH) return lastDate.days;
  if (!looksLikeMoment(lines, from, 0, DATE_LENGTH)) return undefined;
  const text = lines.toString('latin1', from, from + DATE_LENGTH);
  const days = daysOf(text);
  if (days < 0) return undefined;
  lastDate = { date: Buffer.from(text), days: markOf(String(days)) };
  return lastDate.days;
}

/** The digits behind the point, but noughts at their end. */
function putPart(part: number, to: FileBytes): void {
  to.put(POINT);
  for (let unit = 10 ** 9, rest = part; rest > 0; unit /= 10) {
    const digit = Math.floor(rest / unit);
    to.put(ZERO + digit);
    rest -= digit * unit;
  }
}

/** As `serialOf` says it. */
const copySerial: CopyPlain = (lines, from, to) => {
  const days = daysAt(lines, from);
  if (!days || !looksLikeMoment(lines, from, DATE_LENGTH, MOMENT.length)) return from;
  const two = (at: number): number =>
    10 * ((lines[from + at] ?? 0) - ZERO) + (lines[from + at + 1] ?? 0) - ZERO;
  const seconds = two(11) * 3600 + two(14) * 60 + two(17);
  if (seconds >= 86_400) return from;
  to.addMark(days);
  if (seconds > 0) putPart(partOfDay(seconds), to);
  return endOf(lines, from + MOMENT.length);
};

/** A first byte with which no formula begins, of a character that means nothing to a format: digits, letters, Chinese from U+4000 to U+9FFF. */
const beginnings = setOf((byte) => isDigit(byte) || isLetter(byte) || (byte >= 0xe4 && byte <= 0xe9));
/** With what follows in such a character, whose first byte is looked at. */
const harmless = setOf(
  (byte) =>
    beginnings[byte] === 1 || (byte >= 0x80 && byte <= 0xbf) || Buffer.from('-.:/@#()').includes(byte),
);

const copyText: CopyPlain = (lines, from, to) => {
  if (beginnings[lines[from] ?? 0] === 0) return from;
  let end = copyWhile(harmless, lines, from, to);
  // A blank between others; at the end, or twice, it may be lost.
  while (lines[end] === BLANK && harmless[lines[end + 1] ?? 0] === 1 && end - from < LONGEST_PLAIN) {
    to.put(BLANK);
    end = copyWhile(harmless, lines, end + 1, to);
  }
  return end;
};

/** A plain value of each type, how a format may show it, and how values that are shown so are copied. */
const plain: Readonly<Record<CellType, { value: string; ways: readonly (readonly [string, CopyPlain])[] }>> =
  {
    number: { value: '7', ways: [['7', copyNumber]] },
    amount: { value: '7', ways: [['7', copyNumber]] },
    moment: {
      value: MOMENT,
      ways: [
        [MOMENT, copyMoment],
        [serialOf(MOMENT), copySerial],
      ],
    },
    text: { value: '字', ways: [['字', copyText]] },
  };

/** How a format's plain values are copied, and what it puts before and behind them; nothing where it shows them otherwise. */
function wayOf(
  write: WriteCell,
  type: CellType,
): { before: Mark; copy: CopyPlain; behind: Mark } | undefined {
  const { value, ways } = plain[type];
  const cell = write(type, value);
  for (const [shown, copy] of ways) {
    const [before = '', behind] = cell.split(shown);
    if (behind !== undefined) return { before: markOf(before), copy, behind: markOf(behind) };
  }
  return undefined;
}

/** Writes the cell of the value that begins there, and tells where the value ends. */
type CopyCell = (lines: Buffer, from: number, to: FileBytes) => number;

/** Words that a column may have; one that has more has no words for most of its values. */
const MOST_KNOWN = 64;

/** Of a column with few values: each is written once. */
function copyKnown(written: (value: string) => string): CopyCell {
  const known: { value: Buffer; cell: Mark }[] = [];
  return (lines, from, to) => {
    for (const { value, cell } of known) {
      let same = 0;
      while (same < value.length && lines[from + same] === value[same]) same++;
      if (same < value.length || !isEnd(lines[from + same])) continue;
      to.addMark(cell);
      return from + same;
    }
    const end = endOf(lines, from);
    const cell = markOf(written(lines.toString('utf8', from, end)));
    if (known.length < MOST_KNOWN) known.push({ value: Buffer.from(lines.subarray(from, end)), cell });
    to.addMark(cell);
    return end;
  };
}

function copyCell(column: ExportColumn, names: IdNames, write: WriteCell): CopyCell {
  const { type, few } = cellsOf(column);
  const cell = cellOf(column, names, write);
  const shown = (value: string) => (type === 'moment' ? value.slice(0, MOMENT.length) : valueOfCopy(value));
  const written = (value: string) => cell(shown(value));
  if (few) return copyKnown(written);
  const way = column.names || column.say ? undefined : wayOf(write, type);
  return (lines, from, to) => {
    const before = to.at;
    if (way && !isEnd(lines[from])) {
      to.addMark(way.before);
      const end = way.copy(lines, from, to);
      if (isEnd(lines[end])) {
        to.addMark(way.behind);
        return end;
      }
      to.at = before;
    }
    const end = endOf(lines, from);
    to.add(Buffer.from(written(lines.toString('utf8', from, end))));
    return end;
  };
}

/** Writes rows out of whole lines of COPY that hold these columns. */
export function copiedRows(
  columns: readonly ExportColumn[],
  names: IdNames,
  { cell, row }: Pick<FileWriter, 'cell' | 'row'>,
): (lines: Buffer) => WrittenRows {
  const cells = columns.map((column, at) => ({
    lead: new NumberedMark(row.before(at)),
    copy: copyCell(column, names, cell),
  }));
  const behind = markOf(row.behind);
  const to = new FileBytes();
  return (lines) => {
    let at = 0;
    const writeRow = (number: number) => {
      for (const { lead, copy } of cells) {
        to.addMark(lead.with(number));
        at = copy(lines, at, to) + 1;
      }
      to.addMark(behind);
    };
    return {
      take: (most, first) => {
        let rows = 0;
        for (; rows < most && at < lines.length; rows++) writeRow(first + rows);
        return { bytes: to.taken(), rows };
      },
    };
  };
}
