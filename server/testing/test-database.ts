import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Db;
  /** Ends the connections and drops the database. */
  drop(): Promise<void>;
}

async function asAdmin(statement: string): Promise<void> {
  const admin = connect(inject('adminUrl'), { timeZone: 'UTC', max: 1 });
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
  const name = `test_${randomBytes(6).toString('hex')}`;
  const migrated = seeded ? template.pathname.slice(1) : inject('bareTemplate');
  const source = empty ? 'template0' : migrated;
  await asAdmin(`create database ${name} template ${source} owner ${template.username}`);
  const url = new URL(template);
  url.pathname = name;
  const db = connect(url.href, { timeZone });
  return {
    url: url.href,
    db,
    drop: async () => {
      await db.destroy();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}
