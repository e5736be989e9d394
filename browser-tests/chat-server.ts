import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../server/app.ts';
import { connectionsOver } from '../server/db/connections.ts';
import { connect } from '../server/db/database.ts';
import { migrate } from '../server/db/migrate.ts';
import { startEmbeddedPostgres } from '../server/embedded-postgres/embedded-postgres.ts';
import { seed } from '../server/features/seed.ts';
import { type DoubledAccount, tdDouble } from '../server/testing/td-double.ts';
import { testConfig } from '../server/testing/test-config.ts';
import { firstOperator } from './server.ts';

/** A server of its own whose chat library is a double with these accounts; nothing else is doubled. */
export async function startChatServer(
  accounts: Readonly<Record<string, DoubledAccount>>,
  settings: { readonly platformApiKey?: string } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'back-office-chat-'));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, onEvent: console.error });
  const config = testConfig({
    dataDir,
    adminPassword: firstOperator.password,
    telegram: { apiId: 1, apiHash: '0'.repeat(32) },
    ...settings,
  });
  const db = connect(postgres.ownerUrl, { timeZone: config.timeZone });
  await migrate(db);
  await seed(db, config);
  const double = tdDouble(accounts);
  const app = await buildApp({
    config,
    connections: connectionsOver(db, postgres.ownerUrl),
    loadChatLibrary: () => Promise.resolve(double.library),
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin,
    db,
    stop: async () => {
      await app.close();
      await db.destroy();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
