/** Signs of full width, as input methods type them and some sources write, in the width that numbers have. */
export const halfWidth = (text: string): string =>
  text.replace(/[！-～]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));

/** Blanks, and what spreadsheets and chats copy along unseen. */
const around = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
/** More than any number has, blanks around it included: looking for the last of many blanks takes their square. */
const LONGEST_NUMBER = 100;
/** A nought in front is no thousand: `0,980` is 0.98 where a comma parts the places. */
const grouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

/**
 * A number as it is sent: without blanks around it, of half width, its thousands not set apart. What is no number stays as it is, for the
 * server to say so.
 */
export function plainNumber(text: string): string {
  if (text.length > LONGEST_NUMBER) return text;
  const half = halfWidth(text).replace(/。/g, '.').replace(around, '');
  const plain = grouped.test(half) ? half.replaceAll(',', '') : half;
  return /^\d+(\.\d*)?$/.test(plain) ? plain : text;
}

/** Whether a text holds nothing that is drawn as nothing; blanks between its words are seen. */
export const isAllSeen = (text: string): boolean =>
  !/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

const range = /^(\d{1,4})-(\d{1,4})$/;
const LONGEST_RANGE = 1000;
/** No list takes as many; a short text could name millions. */
const MOST = 10_000;

function* namedBy(part: string): Iterable<string> {
  const [, from = '', to = ''] = range.exec(part) ?? [];
  const count = Number(to) - Number(from) + 1;
  if (from === '' || count < 1 || count > LONGEST_RANGE) yield part;
  else
    for (let step = 0; step < count; step += 1) yield String(Number(from) + step).padStart(from.length, '0');
}

/**
 * The numbers that a text names: `01-33` stands for 01 to 33, anything else between commas, spaces or line breaks for itself. What names too
 * many for any list is not read to its end.
 */
export function numbersIn(text: string): string[] {
  const numbers: string[] = [];
  for (const [part] of halfWidth(text).matchAll(/[^,、;\s]+/g)) {
    numbers.push(...namedBy(part));
    if (numbers.length > MOST) break;
  }
  return numbers;
}

/** What looks like a range and is none, such as `49-01`. */
export const isBrokenRange = (number: string): boolean => range.test(number);
