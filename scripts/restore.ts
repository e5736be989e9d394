import { restore } from '#server/db/restore.ts';
import type { EmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, startForCommand } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// `npm run restore -- 文件` fills an empty database with a dump: that of DATABASE_OWNER_URL or DATABASE_URL, or a new embedded one in DATA_DIR, whose
// server must not be running.

const [file = ''] = commandWords('restore -- 文件', 1);
await tellPlainly(async () => {
  const { databaseUrl, databaseOwnerUrl, dataDir } = configWithoutSecret(process.env);
  let embedded: EmbeddedPostgres | undefined;
  const own = async () => {
    embedded = await startForCommand(dataDir);
    return embedded.ownerUrl;
  };
  // The rows lie in tables of the owner's; the server's role gets its rights at the next start.
  const url = databaseOwnerUrl ?? databaseUrl ?? own;
  const { tables, rows } = await restore(url, file).finally(() => embedded?.stop());
  console.log(`已恢复 ${tables} 个表，${rows} 行，逐行核对相符；请用导出时的 APP_SECRET 启动服务`);
});
