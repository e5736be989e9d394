import type { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { knownParams, type ParamKey, type ParamValue } from './known-params.ts';
import { findParamValue } from './param-store.ts';

/** Each parameter by its key, so that what it is worth follows from the key. */
const known: {
  readonly [K in ParamKey]: { readonly schema: z.ZodType<ParamValue<K>>; readonly initial: string };
} = knownParams;

/**
 * What a parameter says at this moment. It is read from the database each time, by its unique key, so a change holds
 * on every server with its commit. Pass the transaction whose work depends on it; a replica may lag behind.
 */
export async function readParam<K extends ParamKey>(db: Db, key: K): Promise<ParamValue<K>> {
  const { schema, initial } = known[key];
  const stored = schema.safeParse(await findParamValue(db, key));
  // What stands in the table was checked when it was written; a row mended by hand must not stop the product.
  return stored.success ? stored.data : schema.parse(initial);
}
