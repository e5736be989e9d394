import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { haveOwner } from './owner-of.ts';

export interface TestDatabase {
  /** The server's own role. */
  readonly url: string;
  readonly ownerUrl: string;
  /** A pool of the server's role; of an empty database, which gives it no rights yet, of its owner's. */
  readonly db: Db;
  /** A pool of the role that owns the database, for what no server may do. */
  readonly owner: Db;
  /** Ends the connections and drops the database. */
  drop(): Promise<void>;
}

/** Many test files share a machine: a session that is late to open is no fault of what is tested. */
const late = { givesWay: true } as const;

async function asAdmin(statement: string): Promise<void> {
  const admin = connect(inject('adminUrl'), { timeZone: 'UTC', max: 1, ...late });
  await sql.raw(statement).execute(admin);
  await admin.destroy();
}

/** A database of one's own: a clone of the migrated and seeded template, one that is only migrated, or an empty one. */
export async function testDatabase({
  timeZone = 'Asia/Shanghai',
  empty = false,
  seeded = true,
} = {}): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl'));
  const owner = new URL(inject('ownerTemplateUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const migrated = seeded ? template.pathname.slice(1) : inject('bareTemplate');
  const source = empty ? 'template0' : migrated;
  await asAdmin(`create database ${name} template ${source} owner ${owner.username}`);
  const url = new URL(template);
  for (const each of [url, owner]) each.pathname = name;
  const db = connect(empty ? owner.href : url.href, { timeZone, ...late });
  // It connects when first used, which few tests do.
  const owning = connect(owner.href, { timeZone, ...late });
  haveOwner(db, owning);
  return {
    url: url.href,
    db,
    ownerUrl: owner.href,
    owner: owning,
    drop: async () => {
      await Promise.all([db.destroy(), owning.destroy()]);
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}
