import { readXml } from './xml-reader.ts';

/** What a number with one of a workbook's looks is shown as, where that is a day, a moment or noughts in front; undefined for all others. */
export type NumberLooks = (look: string, number: string) => string | undefined;

/** The looks of days, and of days with a time, that workbooks know by number alone; some of them in Chinese. */
const isKnownDay = (format: number): boolean =>
  (format >= 14 && format <= 17) ||
  format === 22 ||
  (format >= 27 && format <= 31) ||
  format === 36 ||
  (format >= 50 && format <= 58);

/** What is shown as it stands, and what is said of colours and languages. */
const SHOWN_AS_IT_IS = /"[^"]*"|\\.|[_*].|\[[^\]]*\]/g;
/** No spreadsheet takes a longer one. */
const LONGEST_CODE = 255;
const isDay = (code: string): boolean =>
  code.length <= LONGEST_CODE && /[yd年日]/i.test(code.replace(SHOWN_AS_IT_IS, '').split(';')[0] ?? '');

const DAY_MS = 86_400_000;
/** Day 0, so that all days from 1900-03-01 on are right: before it, spreadsheets count a day that never was. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_DAY = 61;
/** The day after the last one of the year 9999. */
const LAST_DAY = 2_958_466;
/** How much later a workbook counts from that says so, as those of old Macs. */
const DAYS_TO_1904 = 1_462;

/** `2026-12-01`, with the time of day where there is one, to the second; undefined where the number is no day. */
function dayText(number: number): string | undefined {
  if (!(number >= FIRST_DAY && number < LAST_DAY)) return undefined;
  const moment = new Date(DAY_ZERO + Math.round((number * DAY_MS) / 1000) * 1000);
  const [day = '', time = ''] = moment.toISOString().replace('.000Z', '').split('T');
  return time === '00:00:00' ? day : `${day} ${time}`;
}

/** As many figures as `00` shows at least. */
const widthOf = (code: string): number | undefined =>
  code.length <= LONGEST_CODE && /^00+$/.test(code) ? code.length : undefined;

type Look = 'day' | number | undefined;
const lookOf = (code: string): Look => (isDay(code) ? 'day' : widthOf(code));

/** Reads the looks of a workbook, `xl/styles.xml`. */
export async function readNumberLooks(
  pieces: AsyncIterable<string>,
  from1904: boolean,
): Promise<NumberLooks> {
  const own = new Map<string, Look>();
  const looks: Look[] = [];
  let among = '';
  await readXml(pieces, {
    opened: (name, attribute) => {
      const format = attribute('numFmtId');
      if (name === 'cellXfs' || name === 'cellStyleXfs') among = name;
      if (name === 'numFmt') own.set(format, lookOf(attribute('formatCode')));
      if (name === 'xf' && among === 'cellXfs')
        looks.push(own.has(format) ? own.get(format) : isKnownDay(Number(format)) ? 'day' : undefined);
    },
  });
  const later = from1904 ? DAYS_TO_1904 : 0;
  return (look, number) => {
    const shown = looks[Number(look || 0)];
    if (shown === 'day') return number === '' ? undefined : dayText(Number(number) + later);
    return shown !== undefined && /^\d+$/.test(number) ? number.padStart(shown, '0') : undefined;
  };
}
