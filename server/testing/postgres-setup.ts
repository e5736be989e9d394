import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { connect, type Db } from '#server/db/database.ts';
import { prepareAsOwner } from '#server/db/prepare-schema.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { isAlive } from '#server/embedded-postgres/living-process.ts';
import { seed } from '#server/features/seed.ts';
import { startSystemPostgresForTests } from './system-postgres.ts';
import { testConfig } from './test-config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The temporary PostgreSQL: the superuser's address, and the server's and the owner's with `template` as their database. */
    adminUrl: string;
    templateUrl: string;
    ownerTemplateUrl: string;
    /** The name of a database to clone that is migrated and holds nothing yet. */
    bareTemplate: string;
  }
}

const TEMPLATE = 'template_seeded';
const BARE_TEMPLATE = 'template_migrated';
const PREFIX = 'back-office-test-';

/** Ends what runs that were killed have left behind: each folder bears the number of the process that made it. */
function sweep(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const maker = Number(/-(\d+)-/.exec(name)?.[1]);
    if (!maker || isAlive(maker)) continue;
    const left = join(tmpdir(), name);
    // Another user's is theirs to sweep.
    if (statSync(left).uid !== (process.getuid?.() ?? 0)) continue;
    const pidFile = join(left, 'postgres', 'postmaster.pid');
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0;
    if (pid && isAlive(pid, left)) process.kill(pid, 'SIGQUIT');
    rmSync(left, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Before all server tests: one temporary PostgreSQL with a migrated and seeded database to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweep();
  const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // `TEST_POSTGRES=system npm run test:unit` tries the server on the machine's own PostgreSQL, which is often an older one.
  const postgres =
    process.env.TEST_POSTGRES === 'system'
      ? await startSystemPostgresForTests(join(dataDir, 'system'))
      : await startEmbeddedPostgres({ dataDir, durable: false, onEvent: console.error });
  const teardown = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const [templateUrl, ownerUrl] = [new URL(postgres.url), new URL(postgres.ownerUrl)];
    const admin = connect(postgres.adminUrl, { timeZone: 'UTC', max: 1 });
    const create = (name: string, template: string) =>
      sql.raw(`create database ${name} template ${template} owner ${ownerUrl.username}`).execute(admin);
    const config = testConfig();
    const on = async (name: string, work: (db: Db, owner: Db) => Promise<unknown>) => {
      for (const url of [templateUrl, ownerUrl]) url.pathname = name;
      const settings = { timeZone: config.timeZone, patient: true };
      const [db, owner] = [connect(templateUrl.href, settings), connect(ownerUrl.href, settings)];
      await work(db, owner);
      // A database somebody is connected to cannot be cloned.
      await Promise.all([db.destroy(), owner.destroy()]);
    };
    await create(BARE_TEMPLATE, 'template0');
    await on(BARE_TEMPLATE, (db, owner) => prepareAsOwner(owner, db));
    await create(TEMPLATE, BARE_TEMPLATE);
    await on(TEMPLATE, (db) => seed(db, config));
    await admin.destroy();
    project.provide('adminUrl', postgres.adminUrl);
    project.provide('templateUrl', templateUrl.href);
    project.provide('ownerTemplateUrl', ownerUrl.href);
    project.provide('bareTemplate', BARE_TEMPLATE);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}
