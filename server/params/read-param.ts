import type { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { knownParams, type ParamKey, type ParamValue } from './known-params.ts';

/** The stored text of a parameter; nothing when there is no such row. */
async function findValue(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('param_setting').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

/** Each parameter by its key, so that what it is worth follows from the key. */
const known: {
  readonly [K in ParamKey]: { readonly schema: z.ZodType<ParamValue<K>>; readonly initial: string };
} = knownParams;

/** What a parameter says by its stored text, or by none. */
export function paramValue<K extends ParamKey>(key: K, text: string | null | undefined): ParamValue<K> {
  const { schema, initial } = known[key];
  const stored = schema.safeParse(text);
  // What stands in the table was checked when it was written; a row mended by hand must not stop the product.
  return stored.success ? stored.data : schema.parse(initial);
}

/**
 * What a parameter says at this moment. It is read from the database each time, by its unique key, so a change holds
 * on every server with its commit. Pass the transaction whose work depends on it; a replica may lag behind.
 */
export async function readParam<K extends ParamKey>(db: Db, key: K): Promise<ParamValue<K>> {
  return paramValue(key, await findValue(db, key));
}
