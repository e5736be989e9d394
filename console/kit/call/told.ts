import type { z } from 'zod';
import { metaOf } from '#contract/fields.ts';
import { language } from '#contract/language.ts';
import { bareSchema, eitherOf, elementOf, shapeOf } from '#contract/row-schema.ts';

let say = (text: string, _file?: string): string => text;

let learning: Promise<void> | undefined;

/** Fetches what the server's words are in the console's language; what cannot be fetched leaves them as they are, and is tried again. */
export function learnLanguage(): Promise<void> {
  if (language === 'zh') return Promise.resolve();
  learning ??= import('#contract/english/told.ts').then(
    ({ toldInEnglish }) => {
      say = toldInEnglish;
    },
    () => {
      learning = undefined;
    },
  );
  return learning;
}

/** What the server said, in the console's language; `file` as in `told` of the contract. */
export const told = (text: string, file?: string): string => say(text, file);

const fieldsOf = (schema: z.ZodType) => eitherOf(schema).flatMap((each) => Object.entries(shapeOf(each)));

const known = new WeakMap<z.ZodType, boolean>();

/** Whether there are words of the server anywhere in it. */
function hasWords(schema: z.ZodType): boolean {
  const bare = bareSchema(schema);
  if (metaOf(schema).told !== undefined) return true;
  // Rows may hold rows like their own.
  if (!known.has(bare)) {
    known.set(bare, false);
    const element = elementOf(bare);
    known.set(bare, element ? hasWords(element) : fieldsOf(bare).some(([, field]) => hasWords(field)));
  }
  return known.get(bare) ?? false;
}

function saidOf(words: unknown, file: string): unknown {
  if (typeof words === 'string') return told(words, file);
  if (Array.isArray(words)) return words.map((each) => saidOf(each, file));
  if (typeof words !== 'object' || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, saidOf(word, file)]));
}

function translated(schema: z.ZodType, value: unknown): unknown {
  const { told: file } = metaOf(schema);
  if (file !== undefined) return saidOf(value, file);
  if (typeof value !== 'object' || value === null || !hasWords(schema)) return value;
  const element = elementOf(schema);
  if (element && Array.isArray(value)) return value.map((each) => translated(element, each));
  const fields = new Map(fieldsOf(schema));
  const change = ([name, each]: [string, unknown]) => {
    const field = fields.get(name);
    return [name, field ? translated(field, each) : each] as const;
  };
  return Object.fromEntries(Object.entries(value).map(change));
}

/** An answer whose words of the server are in the console's language. */
export const inLanguage = <T>(output: z.ZodType, data: T): T =>
  language === 'zh' ? data : (translated(output, data) as T);
