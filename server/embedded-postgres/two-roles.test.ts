import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { prepareAsOwner } from '#server/db/prepare-schema.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const as = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const db = connect(url, { timeZone: 'UTC', max: 1, patient: true });
  return work(db).finally(() => db.destroy());
};

it('a folder of before there were two roles gets the second, and its rows stay the owner’s', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'two-roles-'));
  const file = join(dataDir, 'postgres.json');
  try {
    // As a program of then left it: one role, which owns the database.
    const then = await startEmbeddedPostgres({ dataDir, durable: false });
    await as(then.adminUrl, (db) => sql`drop role back_office_server`.execute(db));
    await as(then.ownerUrl, (owner) => prepareAsOwner(owner, owner));
    await then.stop();
    const { serverPassword: _, ...former } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(former));

    const now = await startEmbeddedPostgres({ dataDir, durable: false });
    expect(new URL(now.url).username).toBe('back_office_server');
    expect(now.ownerUrl.replace(/:\d+\//, '/')).toBe(then.ownerUrl.replace(/:\d+\//, '/'));
    await as(now.ownerUrl, (owner) => as(now.url, (server) => prepareAsOwner(owner, server)));
    await as(now.url, async (server) => {
      await sql`select from account_history`.execute(server);
      await sql`insert into news_category (name) values ('n')`.execute(server);
      await expect(
        sql`alter table account_history disable trigger user`.execute(server),
      ).rejects.toMatchObject({
        code: '42501',
      });
    });
    await now.stop();

    const again = await startEmbeddedPostgres({ dataDir, durable: false });
    expect(new URL(again.url).password).toBe(new URL(now.url).password);
    await as(again.url, (server) => sql`select from news_category`.execute(server));
    await again.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
