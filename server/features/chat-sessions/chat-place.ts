import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorCode } from '#server/db/driver/outage.ts';
import { makeFolder } from '#server/embedded-postgres/data-folder.ts';

/** How a folder says that its files can have no second name. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP']);

/** The folder of all sessions of a DATA_DIR, known to the database by a random name of its own. */
export interface ChatPlace {
  /** The place's name; nothing while no session was ever started here. */
  find(): Promise<string | undefined>;
  /** The place's name, made when there is none. */
  make(): Promise<string>;
  folderOf(clientId: string): string;
  remove(clientId: string): Promise<void>;
}

export function chatPlace(dataDir: string): ChatPlace {
  const folder = resolve(dataDir, 'chat-sessions');
  const file = resolve(folder, 'place');
  const find = async (): Promise<string | undefined> => {
    try {
      return (await readFile(file, 'utf8')).trim() || undefined;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    find,
    async make() {
      makeFolder(folder, 0o700);
      // Beside its place first: a full disk would leave an empty one, which nobody would make again.
      const fresh = `${file}.${randomUUID()}`;
      try {
        await writeFile(fresh, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 });
        await link(fresh, file).catch((error: unknown) => {
          // A network's folder may have no links; a full disk is found out above.
          if (!NO_LINKS.has(errorCode(error))) throw error;
          return copyFile(fresh, file, constants.COPYFILE_EXCL);
        });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      } finally {
        await rm(fresh, { force: true });
      }
      const name = await find();
      if (!name) throw new Error(`cannot read ${file}`);
      return name;
    },
    folderOf: (clientId) => resolve(folder, clientId),
    remove: (clientId) => rm(resolve(folder, clientId), { recursive: true, force: true }),
  };
}
