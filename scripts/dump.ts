import { dump } from '#server/db/dump.ts';
import { commandWords } from './command-words.ts';
import { whenInterrupted } from './interrupted.ts';
import { configWithoutSecret, openDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// `npm run dump -- 文件` writes the whole database into a file, also while servers work. It takes the server's environment.

const [file = ''] = commandWords('dump -- 文件', 1);
await tellPlainly(async () => {
  const { url, close } = await openDatabase(configWithoutSecret(process.env));
  const interrupted = new AbortController();
  const dumping = dump(url, file, interrupted.signal).finally(close);
  // What was written of the file goes again.
  whenInterrupted(async () => {
    interrupted.abort();
    await dumping;
  });
  const { tables, rows } = await dumping;
  console.log(`已导出 ${tables} 个表，${rows} 行：${file}`);
  console.log('APP_SECRET 不在文件里，请另外保存（内置模式是 DATA_DIR/app-secret）');
});
