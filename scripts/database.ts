import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#server/config.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, startForCommand } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// Runs the embedded PostgreSQL without the server, for dumps and restores; an empty DATA_DIR gives an empty database.

commandWords('database', 0);
// Ctrl-C is how it ends.
process.exitCode = 0;
await tellPlainly(async () => {
  const { dataDir } = configWithoutSecret(process.env);
  // A new database is given a secret, as by a start. One that has lost its own is opened all the same: so that this can be said in it.
  if (!existsSync(join(dataDir, 'postgres'))) loadConfig(process.env);
  const postgres = await startForCommand(dataDir);
  console.log(postgres.ownerUrl);
  console.log('按 Ctrl-C 停止');
  // PostgreSQL's sessions alone would not keep this process.
  setInterval(() => {}, 60_000);
});
