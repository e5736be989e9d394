import { dump } from '#server/db/dump.ts';
import { DumpError } from '#server/db/dump-format.ts';
import { configWithoutSecret, openDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// `npm run dump -- 文件` writes the whole database into a file, also while servers work. It takes the server's environment.

await tellPlainly(async () => {
  const [file] = process.argv.slice(2);
  if (!file) throw new DumpError('用法：npm run dump -- 文件');
  const { url, close } = await openDatabase(configWithoutSecret(process.env));
  const { tables, rows } = await dump(url, file).finally(close);
  console.log(`已导出 ${tables} 个表，${rows} 行：${file}`);
  console.log('APP_SECRET 不在文件里，请另外保存（内置模式是 DATA_DIR/app-secret）');
});
