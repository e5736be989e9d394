import type { Said } from '../overlay/FieldError.tsx';
import type { AskedField } from './field-spec.ts';
import type { Option } from './options.ts';

/** What every input of a search or form is given. */
export interface FieldInputProps extends Said {
  readonly asked: AskedField;
  readonly id: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly values: Readonly<Record<string, unknown>>;
  /** The choices that come from a call; undefined while they are read. */
  readonly options?: readonly Option[] | undefined;
}

const numeric: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'id']);

/** Whether a field of this kind is filled with a number. */
export const isNumeric = (kind: string): boolean => numeric.has(kind);

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** The choices of a field: those it was given, or the words of its codes. Undefined for a field of free text. */
export function choicesOf({ asked, options }: FieldInputProps): readonly Option[] | undefined {
  const { field } = asked;
  if (asked.optionsFor) return options ?? [];
  if (!field.words) return undefined;
  return Object.entries(field.words).map(([code, label]) => ({
    value: field.kind === 'flag' ? code === 'true' : code,
    label,
  }));
}

/** A value as its choice has it: the address holds text where a choice is a number or a flag. */
export const asChosen = (choices: readonly Option[], value: unknown): unknown =>
  choices.find((choice) => String(choice.value) === String(value))?.value ?? value;
