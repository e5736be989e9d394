import { secureAppendOnly } from './append-only.ts';
import { assertFit, connect, DatabaseUnfit, type Db } from './database.ts';
import { errorCode } from './driver/outage.ts';
import { migrate } from './migrate.ts';
import { demandNothingOwned, letServerWork, roleOf, tellOwned } from './server-rights.ts';
import { waitForDatabase } from './wait.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

interface Prepared {
  /** The migrations applied. */
  readonly applied: readonly string[];
  /** Sentences for whoever starts the server. */
  readonly warnings: readonly string[];
}

/** Without the owner's address: a role that owns nothing can work on a database that is up to date, and no more. */
async function prepareAlone(db: Db): Promise<Prepared> {
  try {
    const applied = await migrate(db);
    return { applied, warnings: [...(await tellOwned(db)), ...(await secureAppendOnly(db))] };
  } catch (error) {
    if (errorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new DatabaseUnfit(
      'DATABASE_URL 的角色没有权限升级数据库；请用环境变量 DATABASE_OWNER_URL 给出数据库所有者的地址',
    );
  }
}

/** Migrations run under the owner, and the server's role gets what it needs to work and nothing more. */
export async function prepareAsOwner(owner: Db, server: Db): Promise<Prepared> {
  const role = await roleOf(server);
  if (role === (await roleOf(owner))) return prepareAlone(server);
  const applied = await migrate(owner);
  await demandNothingOwned(server);
  const warnings = await secureAppendOnly(owner);
  await letServerWork(owner, role);
  return { applied, warnings: [...warnings, ...(await secureAppendOnly(server))] };
}

/**
 * Waits for the database, checks that this program may run on it, and brings schema and rights up to date. `server` is a patient connection
 * of the server's own role; migrations run under the owner's where there is one. Throws `DatabaseUnfit` and `MigrationError`.
 */
export async function prepareSchema(
  server: Db,
  ownerUrl: string | null,
  timeZone: string,
  onWait: (error: unknown) => void = () => {},
): Promise<Prepared> {
  await waitForDatabase(server, onWait);
  await assertFit(server, timeZone);
  if (ownerUrl === null) return prepareAlone(server);
  const owner = connect(ownerUrl, { timeZone, max: 1, patient: true });
  try {
    await waitForDatabase(owner, onWait);
    return await prepareAsOwner(owner, server);
  } finally {
    await owner.destroy();
  }
}
