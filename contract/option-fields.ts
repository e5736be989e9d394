import { z } from 'zod';
import { told } from './wording.ts';

/** How an option is entered: a list is typed as `1,3,5-7`; `json` is for what no simple input fits. */
export const optionKinds = ['text', 'integer', 'flag', 'choice', 'numbers', 'texts', 'json'] as const;

/** An option of a handler or collector, as its own schema has it: enough for an input of its own. */
export const OptionField = z.object({
  name: z.string(),
  label: told(z.string()),
  kind: z.enum(optionKinds),
  /** The words of a choice's codes. */
  words: told(z.record(z.string(), z.string())).nullable(),
  /** What counts where nothing is entered, as JSON. */
  preset: z.string().nullable(),
  required: z.boolean(),
  hint: told(z.string()).nullable(),
});
export type OptionField = z.infer<typeof OptionField>;

export const optionFields = z.array(OptionField).meta({ title: '参数' });
