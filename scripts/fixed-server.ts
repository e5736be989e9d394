import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#server/app.ts';
import { loadConfig } from '#server/config.ts';
import { ensureConsole } from '#server/console-build.ts';
import { openConnections } from '#server/db/connections.ts';
import { connect } from '#server/db/database.ts';
import type { DatabaseClock } from '#server/db/database-clock.ts';
import { prepareAsOwner } from '#server/db/prepare-schema.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { seed } from '#server/features/seed.ts';

interface FixedServer {
  readonly origin: string;
  stop(): Promise<void>;
}

const standing = (now: Date): DatabaseClock => ({
  now: () => now,
  aheadMs: () => 0,
  unfit: () => undefined,
  tell: () => undefined,
  stop: () => undefined,
});

/** The server on sample data up to a moment that stands still, without background work: on every run its lists hold the same. */
export async function startFixedServer(
  now: Date,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<FixedServer> {
  await ensureConsole();
  const dataDir = mkdtempSync(join(tmpdir(), 'back-office-pictures-'));
  const environment = { DATA_DIR: dataDir, ADMIN_USERNAME: username, ADMIN_PASSWORD: password };
  const config = loadConfig({ ...environment, LOG_LEVEL: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  const connections = openConnections(postgres.url, { timeZone: config.timeZone });
  const owner = connect(postgres.ownerUrl, { timeZone: config.timeZone, max: 1 });
  await prepareAsOwner(owner, connections.commands);
  await owner.destroy();
  await seed(connections.commands, { ...config, sampleData: true }, now);
  const app = await buildApp({ config, connections, clock: standing(now) });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await app.close();
    await connections.destroy();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { origin, stop };
}
