import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startSystemPostgres, systemVersion } from '#server/testing/system-postgres.ts';
import { connect } from './database.ts';
import { migrate } from './migrate.ts';

// PostgreSQL 15 is promised, 18 comes with us: what only the newer ones know would show on nobody's machine but the operator's.

/** Words of later versions that a statement might say without anybody noticing, by the version that brought them. */
const newer = {
  16: /\b(any_value|random_normal|array_sample|array_shuffle|json_scalar|pg_input_is_valid)\s*\(/i,
  17: /\b(json_table|json_exists|json_value|json_query|random)\s*\(\s*[^)\s]/i,
  18: /\breturning\b[^;]*?\b(?:old|new)\.|\b(uuidv4|uuidv7|array_sort|array_reverse|crc32|casefold)\s*\(|\)\s+virtual\b/i,
};

it.each(Object.entries(newer))(
  'no function of the schema asks for what came with PostgreSQL %s',
  (_, word) => {
    const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');
    expect(word.exec(schema)?.[0]).toBeUndefined();
  },
);

it.skipIf(systemVersion < 15)(`every body is one that PostgreSQL ${systemVersion} can run`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-oldest-'));
  execFileSync('chmod', ['755', folder]);
  const postgres = await startSystemPostgres(join(folder, 'system'), false);
  const db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
  try {
    await migrate(db);
    const { rows } = await sql<{ made: string }>`
      select pg_get_functiondef(p.oid) as made from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql'`.execute(db);
    expect(rows.length).toBeGreaterThan(20);
    // A body that was not looked at when its function was first made is looked at now.
    for (const { made } of rows) await sql.raw(made).execute(db);
  } finally {
    await db.destroy();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
});
