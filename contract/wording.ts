import type { z } from 'zod';
import { metaOf } from './fields.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** Of what is answered, where the server itself put it into words: the file whose words these are, or none. */
    told?: string;
    /** Of a name that operators may change, where the first ones come with the system: as `told`. */
    seeded?: string;
  }
}

/**
 * Marks what the server itself puts into words, such as why something failed: one word or many. The console shows them in its language.
 * `file` names the file of the contract whose words they are, where these mean something of their own there.
 */
export const told = <S extends z.ZodType>(schema: S, file = ''): S =>
  schema.meta({ ...metaOf(schema), told: file });

/** Marks names of which the first ones come with the system: the console shows those in its language, and forms have them as they are kept. */
export const seeded = <S extends z.ZodType>(schema: S, file = ''): S =>
  schema.meta({ ...metaOf(schema), seeded: file });
