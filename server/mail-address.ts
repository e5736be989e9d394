import { Refusal } from '#server/refusal.ts';

// One plain address: no name, no list, no comment, no quoting, and nothing that could end a header line.
const plainAddress = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\]{1,190}$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const control = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

/** Whether a text could end a line of a mail's head or of the SMTP dialogue. */
export const breaksLines = (value: string): boolean => control.test(value);

export const isMailAddress = (value: string): boolean => plainAddress.test(value) && !breaksLines(value);

/** Throws `mailAddressInvalid` at the field unless it is one plain address. */
export function demandMailAddress(field: string, value: string): void {
  if (!isMailAddress(value)) throw new Refusal('mailAddressInvalid', { field });
}

/** Throws `lineBreakForbidden` at the field when its value could end a line. */
export function demandOneLine(field: string, what: string, value: string | undefined): void {
  if (value !== undefined && breaksLines(value))
    throw new Refusal('lineBreakForbidden', { field, values: { what } });
}
