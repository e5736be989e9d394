import type { Db } from '#server/db/database.ts';
import { addedWhereFree } from '#server/db/rows.ts';
import { knownParams } from '#server/params/known-params.ts';

/** Puts in every parameter the product reads that is not there yet; values that operators gave stay. */
export async function seedParams(db: Db): Promise<void> {
  const params = Object.entries(knownParams).map(([key, { title, initial }]) => ({
    ...{ key, title },
    value: initial,
  }));
  await addedWhereFree(db, 'param_setting', params);
}
