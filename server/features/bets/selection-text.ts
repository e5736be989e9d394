import type { SelectionRule } from '#contract/selections.ts';
import { BadSelection, type Chosen, partsOfRule, type RulePart, type Selection } from './selection.ts';

const separators = { PLACES: '|', GROUP: '|', TICKET: '+' } as const;
const LONGEST = 20_000;

/** What separates the single numbers of a play way: `;` where one of them has a comma itself. */
export const between = (rows: readonly string[]): ',' | ';' =>
  rows.some((row) => row.includes(',')) ? ';' : ',';

const bad = (message: string) => new BadSelection(message);
/** Which part is meant, where there are several. */
const at = (place: number, all: readonly unknown[]): string => (all.length > 1 ? `第 ${place + 1} 部分` : '');

function demandKnown(chosen: readonly string[], pool: readonly string[], where: string): void {
  const known = new Set(pool);
  const stranger = chosen.find((number) => !known.has(number));
  if (stranger === '') throw bad(`${where}选号中有空的号码`);
  if (stranger !== undefined) throw bad(`${where}不能选号码 ${stranger}`);
  const twice = chosen.find((number, place) => chosen.indexOf(number) < place);
  if (twice !== undefined) throw bad(`${where}号码 ${twice} 重复`);
}

function chosenOf(text: string, { mayBank }: RulePart, where: string): Chosen {
  const [, banked, rest = text] = /^\(([^()]*)\)([^()]*)$/.exec(text) ?? [];
  if (/[()]/.test(rest)) throw bad(`${where}胆码须写在最前面的一对括号里`);
  if (banked === undefined) return { bankers: [], numbers: rest.split(',') };
  if (!mayBank) throw bad(`${where}不能设胆码`);
  return { bankers: banked.split(','), numbers: rest === '' ? [] : rest.split(',') };
}

function readPart(text: string, part: RulePart, where: string): Chosen {
  if (text === '') throw bad(`${where}没有选号`);
  const chosen = chosenOf(text, part, where);
  const { bankers, numbers } = chosen;
  demandKnown([...bankers, ...numbers], part.pool, where);
  if (bankers.length >= part.choose && bankers.length > 0)
    throw bad(`${where}胆码须为 1 至 ${part.choose - 1} 个`);
  const missing = part.choose - bankers.length - numbers.length;
  if (missing > 0) throw bad(`${where}至少须选 ${part.choose} 个号码`);
  return chosen;
}

function demandApart(parts: Selection): void {
  const seen = new Set<string>();
  for (const { numbers } of parts)
    for (const number of numbers) {
      if (seen.has(number)) throw bad(`号码 ${number} 不能同时选在两个部分`);
      seen.add(number);
    }
}

function readSingle(text: string, rows: readonly string[], separator: string): Selection {
  if (text === '') throw bad('没有选号');
  const numbers = text.split(separator);
  demandKnown(numbers, rows, '');
  return [{ bankers: [], numbers }];
}

/**
 * Reads a selection as it is written on the wire. For a play way without a rule `rows` are the numbers that have odds, and `separator` is
 * said where they are no longer all of its numbers. Throws `BadSelection`.
 */
export function readSelection(
  text: string,
  rule: SelectionRule | null,
  rows: readonly string[],
  separator = between(rows),
): Selection {
  if (text.length > LONGEST) throw bad('选号过长');
  if (rule === null) return readSingle(text, rows, separator);
  const parts = partsOfRule(rule);
  const texts = rule.kind === 'COMBINATION' ? [text] : text.split(separators[rule.kind]);
  if (texts.length !== parts.length) throw bad(`须有 ${parts.length} 个部分，实为 ${texts.length} 个`);
  const chosen = parts.map((part, place) => readPart(texts[place] ?? '', part, at(place, parts)));
  if (rule.kind === 'GROUP') demandApart(chosen);
  return chosen;
}

const printPart = ({ bankers, numbers }: Chosen): string =>
  (bankers.length > 0 ? `(${bankers.join(',')})` : '') + numbers.join(',');

/** A selection as it is written on the wire. */
export function printSelection(
  selection: Selection,
  rule: SelectionRule | null,
  rows: readonly string[],
): string {
  if (rule === null) return selection.flatMap(({ numbers }) => numbers).join(between(rows));
  return selection.map(printPart).join(rule.kind === 'COMBINATION' ? '' : separators[rule.kind]);
}
