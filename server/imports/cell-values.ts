import { z } from 'zod';
import { toldInEnglish } from '#contract/english/told.ts';
import { metaOf } from '#contract/fields.ts';
import type { ImportColumn } from '#contract/imports.ts';
import { isNamed, nounOf } from '#contract/nouns.ts';
import { numbersIn, plainNumber } from '#contract/number-text.ts';
import type { NounName } from '#contract/ref.ts';
import { bareSchema } from '#contract/row-schema.ts';
import { writtenDay } from '#contract/written-day.ts';
import type { Db } from '#server/db/database.ts';
import { type NamedRow, namedRows } from '#server/db/noun-rows.ts';

/** What a cell means to the call; or why it means nothing. */
type Meant = { readonly value: unknown } | { readonly problem: string };
type Known = Readonly<Record<string, unknown>>;
export type MeaningOf = (column: ImportColumn, text: string, known: Known) => Meant;

const figures: readonly unknown[] = ['integer', 'decimal', 'money'];
/** Text as the platform writes it: a figure without what sets its thousands apart, a day as `2030-01-31`. */
function plainText(schema: z.ZodType, text: string): string {
  const { kind } = metaOf(schema);
  if (figures.includes(kind)) return plainNumber(text);
  return kind === 'day' ? writtenDay(text) : text;
}

/** The code of a word, Chinese or English; a code stands for itself. */
function codeOf(choices: Readonly<Record<string, string>>, text: string): string {
  return (
    Object.entries(choices).find(([, word]) => word === text || toldInEnglish(word) === text)?.[0] ?? text
  );
}

const nounsOf = (columns: readonly ImportColumn[]): ReadonlySet<NounName> =>
  new Set(columns.flatMap(({ schema }) => metaOf(schema).ref ?? []));

/** Reads cells as an operator writes them: names for ids, words for codes, several at once where the field is a list. */
export async function meanings(db: Db, columns: readonly ImportColumn[]): Promise<MeaningOf> {
  const byNoun = new Map<NounName, Map<string, NamedRow[]>>();
  for (const noun of nounsOf(columns)) {
    if (!isNamed(nounOf(noun)) && noun !== 'gameNumber') continue;
    byNoun.set(
      noun,
      Map.groupBy(await namedRows(db, noun), ({ name }) => name),
    );
  }

  const idOf = (column: ImportColumn, name: string, known: Known): Meant => {
    const { ref, of } = metaOf(column.schema);
    const named = ref && byNoun.get(ref)?.get(name);
    const limit = of === undefined ? undefined : known[of];
    const rows = named?.filter(({ find }) => limit === undefined || find[of ?? ''] === String(limit)) ?? [];
    if (rows.length > 1) return { problem: `有 ${rows.length} 个“${name}”，请填写编号` };
    if (rows[0]) return { value: rows[0].id };
    return /^\d+$/.test(name) && limit === undefined ? { value: name } : { problem: `“${name}”不存在` };
  };

  return (column, text, known) => {
    const { ref, choices } = metaOf(column.schema);
    if (text === '') return { value: undefined };
    if (choices) return { value: codeOf(choices, text) };
    if (!ref) return { value: plainText(column.schema, text) };
    if (!(bareSchema(column.schema) instanceof z.ZodArray)) return idOf(column, text, known);
    const all = numbersIn(text).map((name) => idOf(column, name, known));
    const wrong = all.find((each) => 'problem' in each);
    return wrong ?? { value: all.flatMap((each) => ('value' in each ? [each.value] : [])) };
  };
}
