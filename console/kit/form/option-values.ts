import { numbersIn } from '#contract/number-text.ts';
import type { OptionField } from '#contract/option-fields.ts';

type Values = Readonly<Record<string, unknown>>;

/** Options by name, or nothing where the text holds what no input of these fields shows. */
export function optionsIn(text: string, fields: readonly OptionField[]): Values | undefined {
  if (text.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
    const isKnown = Object.keys(read).every((name) => fields.some((field) => field.name === name));
    return isKnown ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** As they travel; nothing at all where none is entered. */
export function optionsText(values: Values): string {
  const entered = Object.entries(values).filter(([, value]) => value !== undefined);
  return entered.length === 0 ? '' : JSON.stringify(Object.fromEntries(entered));
}

/** An option as it is typed. */
export function typedOf({ kind }: OptionField, value: unknown): string {
  if (value === undefined) return '';
  if ((kind === 'numbers' || kind === 'texts') && Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What is typed as its option; what cannot be read stays text, for the server to say so. */
export function optionOf({ kind }: OptionField, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  if (kind === 'texts') return numbersIn(text);
  if (kind === 'numbers')
    return numbersIn(text).map((each) => (/^\d{1,9}$/.test(each) ? Number(each) : each));
  if (kind === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (kind !== 'json') return typed;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return typed;
  }
}
