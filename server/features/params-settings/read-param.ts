import type { Db } from '#server/db/database.ts';
import { knownParams, type ParamKey, type ParamValue } from './known-params.ts';
import { findParamValue } from './param-store.ts';

/**
 * What a parameter says at this moment. It is read from the database each time, by its unique key, so a change holds
 * on every server with its commit. Pass the transaction whose work depends on it; a replica may lag behind.
 */
export async function readParam<K extends ParamKey>(db: Db, key: K): Promise<ParamValue<K>> {
  const { schema, initial } = knownParams[key];
  const stored = schema.safeParse(await findParamValue(db, key));
  // What stands in the table was checked when it was written; a row mended by hand must not stop the product.
  const value: unknown = stored.success ? stored.data : schema.parse(initial);
  return value as ParamValue<K>;
}
