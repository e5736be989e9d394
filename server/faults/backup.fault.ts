import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countRows } from '#server/db/counted-list.ts';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { seed } from '#server/features/seed.ts';
import { externalPostgres } from '#server/testing/external-postgres.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { testConfig } from '#server/testing/test-config.ts';

const timeZone = 'Asia/Shanghai';
/** An address of a server of our choice, its superuser's; or the embedded one, if the installed pg_dump is new enough for it. */
const given = process.env.BACKUP_DATABASE_URL;

const dumpVersion = (): number => {
  try {
    return Number(/\d+/.exec(String(execFileSync('pg_dump', ['--version'])))?.[0] ?? 0);
  } catch {
    return 0;
  }
};
const able = given !== undefined || dumpVersion() >= 18;

test.skipIf(!able)(
  'a backup by pg_dump, restored into a fresh database, proves like the original and still refuses changes',
  async () => {
    const own = given === undefined ? await externalPostgres() : undefined;
    const adminUrl = given ?? own?.adminUrl ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'back-office-backup-'));
    const admin = connect(adminUrl, { timeZone, max: 1, patient: true });
    const urlOf = (name: string) => Object.assign(new URL(adminUrl), { pathname: name }).href;
    const names = [`original_${process.pid}`, `restored_${process.pid}`] as const;
    for (const name of names) await sql`create database ${sql.ref(name)}`.execute(admin);
    const [from, to] = names.map((name) => connect(urlOf(name), { timeZone, patient: true }));
    if (!from || !to) throw new Error('no databases');
    try {
      await migrate(from);
      await seed(from, testConfig({ sampleData: true }));
      const before = await expectProven(from);
      const file = join(folder, 'dump');
      execFileSync('pg_dump', ['-Fc', '-f', file, '-d', urlOf(names[0])]);
      execFileSync('pg_restore', ['--no-owner', '-d', urlOf(names[1]), file]);
      const after = await expectProven(to);
      expect(after).toEqual(before);
      expect(await countRows(to, { table: 'account_history' }, {})).toBe(after.rows);
      await expect(sql`delete from account_history`.execute(to)).rejects.toMatchObject({ code: '42501' });
      console.log(`backup of ${after.rows} ledger rows of ${after.accounts} accounts restored and proven`);
    } finally {
      await from.destroy();
      await to.destroy();
      for (const name of names) await sql`drop database ${sql.ref(name)} with (force)`.execute(admin);
      await admin.destroy();
      await own?.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
