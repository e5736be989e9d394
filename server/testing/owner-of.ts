import type { Db } from '#server/db/database.ts';

const owners = new WeakMap<Db, Db>();

export const haveOwner = (db: Db, owner: Db): void => void owners.set(db, owner);

/** A pool of the role that owns the database of a test, for what no server may do; of others the one given. */
export const ownerOf = (db: Db): Db => owners.get(db) ?? db;
