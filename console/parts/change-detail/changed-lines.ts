import type { z } from 'zod';
import { metaOf } from '#contract/fields.ts';
import { moneyText } from '#contract/money-text.ts';
import { nestedWords } from '#contract/nested-words.ts';
import { type Recorded, rowsIn, sideOf } from '#contract/recorded-fields.ts';
import type { NounName } from '#contract/ref.ts';

type FieldMeta = Partial<ReturnType<typeof metaOf>>;

/** One side of a field: what stood there, and how it reads. */
export interface Told {
  readonly value: unknown;
  readonly text: string;
}

export interface ChangedLine {
  readonly label: string;
  /** The noun whose rows the field names. */
  readonly ref: NounName | undefined;
  readonly input: Told;
  readonly before: Told;
  readonly after: Told;
  readonly changed: boolean;
}

/** What was refused may have been no amount at all. */
const isDecimal = /^-?\d+(\.\d+)?$/;

export function told(value: unknown, schema: z.ZodType | undefined): Told {
  const { choices, kind }: FieldMeta = schema ? metaOf(schema) : {};
  if (value === null || value === undefined || value === '') return { value: null, text: '—' };
  if (Array.isArray(value) && value.length === 0) return { value, text: '无' };
  const rows = rowsIn(value);
  if (rows) return { value, text: `${rows.length} 行` };
  if (typeof value === 'object') return { value, text: nestedWords(value, schema) };
  const code = String(value);
  return {
    value,
    text: choices?.[code] ?? (kind === 'money' && isDecimal.test(code) ? moneyText(code) : code),
  };
}

/** Rows that changed along with the one a call is about, by the name of their table. */
const along: Readonly<Record<string, string>> = {
  approvalId: '复核编号',
  bet_time_range: '投注时间',
  game: '游戏',
  game_number: '号码',
  odds: '赔率',
};

/** A list that no field sent has no name of its own. */
const UNNAMED = '内容';

/** The fields of a change one by one, in the order they first appear; `fields` are those its call and its rows have. */
export function changedLines(record: Recorded, fields: Readonly<Record<string, z.ZodType>>): ChangedLine[] {
  const side = (value: unknown) => sideOf(record.call, value);
  const [sent, old, fresh] = [side(record.input), side(record.before), side(record.after)];
  const names = [...new Set([sent, old, fresh].flatMap((each) => Object.keys(each)))];
  const compared = Object.keys(old).length > 0 && Object.keys(fresh).length > 0;
  return names.map((name) => {
    const { title, ref }: FieldMeta = fields[name] ? metaOf(fields[name]) : {};
    const [before, after] = [told(old[name], fields[name]), told(fresh[name], fields[name])];
    return {
      label: title === undefined ? (along[name] ?? (name || UNNAMED)) : `${title}（${name}）`,
      ref,
      ...{ input: told(sent[name], fields[name]), before, after },
      changed: compared && JSON.stringify(before.value) !== JSON.stringify(after.value),
    };
  });
}
