import { loadConfig } from '#server/config.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { tellPlainly } from './plain-errors.ts';

// Runs the embedded PostgreSQL without the server, for dumps and restores; an empty DATA_DIR gives an empty database.

await tellPlainly(async () => {
  const { dataDir } = loadConfig(process.env);
  const postgres = await startEmbeddedPostgres({ dataDir, onEvent: console.error });
  console.log(postgres.ownerUrl);
  console.log('按 Ctrl-C 停止');
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void postgres.stop().then(() => process.exit()));
  // PostgreSQL's sessions alone would not keep this process.
  setInterval(() => {}, 60_000);
});
