import { fileOfNames, isNamed, type Noun, nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { told } from '../call/told.ts';
import type { Field, Reference } from './field.ts';
import { valueAt } from './field.ts';
import { type Options, sourceOf, wordAt } from './options.ts';

/** A noun whose rows are found by what is typed in the `search` field of its list. */
export type Searched = Required<Pick<Noun, 'list' | 'search' | 'name' | 'screen'>>;

type Values = Readonly<Record<string, unknown>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** What a row is called, in the console's language where its name came with the system. */
function nameOf(noun: Noun): (row: object) => string {
  const own = wordAt(noun.name);
  const file = fileOfNames(noun);
  return file === undefined ? own : (row) => told(own(row), file);
}

/** What a row is called where it is spoken of: in titles, questions and sentences. */
export const nameOfRow = (noun: NounName, row: object): string => nameOf(nounOf(noun))(row);

/** The rows that a field may refer to, as choices; nothing where there are too many, or none before another field is known. */
function rowsToChoose({ noun: name, of, only }: Reference, values: Values): Options | undefined {
  const noun = nounOf(name);
  const { list, within, children } = noun;
  const owner = within === undefined ? undefined : values[of ?? ''];
  if (!list || !isNamed(noun) || (within !== undefined && !isGiven(owner))) return undefined;
  const limits = Object.entries(only);
  return sourceOf(list, {
    label: nameOf(noun),
    children,
    filter: (row) => limits.every(([field, codes]) => codes.includes(wordAt(field)(row))),
    ...(within === undefined ? {} : { input: { [within]: owner } }),
  });
}

/** How a field that refers to rows is chosen, by what is known beside it; nothing for one whose rows are searched for or typed. */
export function choosing({ ref }: Field): ((values: Values) => Options | undefined) | undefined {
  return ref && isNamed(nounOf(ref.noun)) ? (values) => rowsToChoose(ref, values) : undefined;
}

/** How a row is searched for where a field refers to a noun of too many rows to list. */
export function searched({ ref, many }: Field): Searched | undefined {
  if (!ref || many) return undefined;
  const { list, search, name, screen } = nounOf(ref.noun);
  return list && search !== undefined ? { list, search, name, screen } : undefined;
}

/** The names for a column of ids, or for one row's, by what stands beside it; nothing for ids that stand for themselves. */
export const naming = ({ ref }: Field, row: object = {}): Options | undefined =>
  ref && rowsToChoose(ref, { ...row });

/** What the search of a noun's screen is filled with to find a row; nothing when not enough of the row is known. */
export function searchFor({ find }: Noun, row: object): Readonly<Record<string, string>> | undefined {
  const found = find.map((field) => [field, valueAt(row, field)] as const);
  if (!found.every(([, value]) => isGiven(value))) return undefined;
  return Object.fromEntries(found.map(([field, value]) => [field, String(value)]));
}
