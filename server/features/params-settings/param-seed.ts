import type { Db } from '#server/db/database.ts';
import { knownParams } from './known-params.ts';
import { insertParam } from './param-store.ts';

/** Puts in every parameter the product reads that is not there yet; values that operators gave stay. */
export async function seedParams(db: Db): Promise<void> {
  for (const [key, { title, initial }] of Object.entries(knownParams))
    await insertParam(db, { key, title, value: initial });
}
