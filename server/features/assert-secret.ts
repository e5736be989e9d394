import { type RawBuilder, sql } from 'kysely';
import { ConfigError } from '#server/config-error.ts';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';

/** What the canary holds is known: that it can be opened is all it tells. */
const PLAIN = 'back-office';
const BINDING = 'secret_canary';
/** Of each kind of sealed value so many are tried. */
const SAMPLES = 50;

interface Sealed {
  readonly sealed: Buffer;
  readonly binding: string;
}

/** Everything that is kept under APP_SECRET for long, the oldest first; bindings are those of the features that seal. */
const kinds: readonly RawBuilder<Sealed>[] = [
  sql`select c.seed as sealed, 'draw_commitment/' || c."gameId" || '/' || c.phase as binding from draw_commitment c
    where not exists (select from draw_record r where r."gameId" = c."gameId" and r.phase = c.phase) order by c."createTime"`,
  sql`select "googleSecret" as sealed, 'operator:' || id || ':googleSecret' as binding from operator
    where "googleSecret" is not null order by id`,
  sql`select password as sealed, 'mail_config:' || id || ':password' as binding from mail_config
    where password is not null order by id`,
  sql`select "databaseKey" as sealed, 'chat_session:' || id || ':databaseKey' as binding from chat_session
    where "databaseKey" is not null order by id`,
];

function opens(vault: Vault, { sealed, binding }: Sealed): boolean {
  try {
    vault.open(sealed, binding);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether this secret sealed what a database without a canary holds. A short run under a wrong one may have sealed a little
 * too, so the greater part decides; where nothing is sealed any secret will do.
 */
async function sealedWhatIsThere(db: Db, vault: Vault): Promise<boolean> {
  let [right, wrong] = [0, 0];
  for (const kind of kinds) {
    const { rows } = await sql<Sealed>`${kind} limit ${SAMPLES}`.execute(db);
    const opened = rows.filter((row) => opens(vault, row)).length;
    right += opened;
    wrong += rows.length - opened;
  }
  return right >= wrong;
}

const foreign = () =>
  new ConfigError(
    '环境变量 APP_SECRET（内置模式为 DATA_DIR 下的 app-secret 文件）不是加密此数据库所用的密钥，已拒绝启动。请换回原来的密钥；密钥确已丢失时见 docs/operations.md',
  );

/**
 * Opens the known value that the first start sealed. Throws `ConfigError` when this server's secret is another one than
 * the database's; a database from before the value existed is judged by what is sealed in it.
 */
export async function assertSecret(db: Db, vault: Vault): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Of servers that start together the first one seals, the others open.
    await sql`lock table secret_canary in share row exclusive mode`.execute(tx);
    const { rows } = await sql<{ sealed: Buffer | null }>`select sealed from secret_canary`.execute(tx);
    const [canary] = rows;
    if (canary?.sealed) {
      if (!opens(vault, { sealed: canary.sealed, binding: BINDING })) throw foreign();
      return;
    }
    if (!canary && !(await sealedWhatIsThere(tx, vault))) throw foreign();
    const sealed = vault.seal(PLAIN, BINDING);
    await sql`
      insert into secret_canary (sealed) values (${sealed})
      on conflict (singleton) do update set sealed = excluded.sealed`.execute(tx);
  });
}
