import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { readCatalog } from '#server/db/schema/catalog.ts';
import { staleFiles, writeSchemaFiles } from '#server/db/schema/files.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';

// `npm run schema` writes schema.sql and the table types anew from a database that the migrations made just for it;
// with `--check` it writes nothing and fails when they are stale.

const check = process.argv.includes('--check');
const dataDir = mkdtempSync(join(tmpdir(), 'back-office-schema-'));
const postgres = await startEmbeddedPostgres({ dataDir, durable: false, onEvent: console.error });
try {
  const db = connect(postgres.ownerUrl, { timeZone: 'UTC', patient: true });
  await migrate(db);
  const catalog = await readCatalog(db);
  await db.destroy();
  if (check) {
    const stale = staleFiles(catalog);
    for (const sentence of stale) console.error(sentence);
    if (stale.length > 0) process.exitCode = 1;
  } else writeSchemaFiles(catalog);
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
