import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import { ConfigError } from '#server/config-error.ts';
import type { Db } from '#server/db/database.ts';
import { databaseTime } from '#server/db/database-clock.ts';
import { added } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import { seedMenus } from './menus/menu-seed.ts';
import { allMenus } from './menus/menu-store.ts';
import { replaceRoles } from './operators/operator-store.ts';
import { seedParams } from './param-settings/param-seed.ts';
import { replaceMenus } from './roles/role-store.ts';
import { SAMPLE_PASSWORD } from './sample-account.ts';
import { planFirstDay } from './sample-data/drawing-game.ts';
import { seedSampleGames } from './sample-data/sample-games.ts';
import { seedSampleUsers } from './sample-data/sample-players.ts';
import { findSeedValue, rememberSeed } from './seed-store.ts';
import { findOperatorByName } from './sign-in/operator-secrets.ts';
import { hashPassword, readablePassword } from './sign-in/password.ts';
import { demandAcceptablePassword } from './sign-in/password-rules.ts';
import { acceptableName } from './sign-in/user-name.ts';

const FIRST_OPERATOR_KEY = 'operator:first';

/** What the start prints when it made the first operator. */
export interface Seeded {
  firstOperator?: { username: string; password: string };
}

/** One that is given is held to what every operator's password is held to. Throws `ConfigError`. */
function firstPassword({ adminUsername, adminPassword, sampleData }: Config): string {
  if (adminPassword === null) return sampleData ? SAMPLE_PASSWORD : readablePassword();
  try {
    demandAcceptablePassword(adminPassword, adminUsername, 'password');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new ConfigError(`环境变量 ADMIN_PASSWORD 不能用作首个操作员的密码：${error.message}`);
  }
  return adminPassword;
}

/** The same of a name. Throws `ConfigError`. */
function firstName({ adminUsername }: Config): string {
  try {
    return acceptableName(adminUsername);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new ConfigError(`环境变量 ADMIN_USERNAME 不能用作首个操作员的账号：${error.message}`);
  }
}

/** The first operator, with a role that bundles every menu. Made once, also when deleted later. */
async function seedFirstOperator(db: Db, config: Config): Promise<Seeded> {
  if ((await findSeedValue(db, FIRST_OPERATOR_KEY)) !== undefined) return {};
  const userName = firstName(config);
  const password = firstPassword(config);
  const passwordHash = await hashPassword(password);
  if (await findOperatorByName(db, userName)) return {};
  const { id: operatorId } = await added(db, 'operator', { userName, passwordHash });
  const { id: roleId } = await added(db, 'role', { desc: '超级管理员', name: 'administrator' });
  const menus = await allMenus(db);
  await replaceMenus(
    db,
    roleId,
    menus.map((menu) => menu.id),
  );
  await replaceRoles(db, operatorId, [roleId]);
  await rememberSeed(db, FIRST_OPERATOR_KEY, passwordHash);
  return { firstOperator: { username: userName, password } };
}

async function seedSamples(db: Db, config: Config, now: Date): Promise<void> {
  const drawing = await seedSampleGames(db, config, now);
  await seedSampleUsers(db, config, now);
  if (drawing !== undefined) await planFirstDay(db, drawing, now, config.timeZone);
}

/** Puts in what is missing and leaves alone what is there. One transaction, one server at a time. */
export async function seed(db: Db, config: Config, at?: Date): Promise<Seeded> {
  return db.transaction().execute(async (tx) => {
    const now = at ?? (await databaseTime(tx));
    // A pooler drops what this session asked for and hands out one with the limits of a server at work.
    await sql`set local statement_timeout = 0; set local lock_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(hashtextextended('seed', 0))`.execute(tx);
    await seedMenus(tx);
    await seedParams(tx);
    const seeded = await seedFirstOperator(tx, config);
    if (config.sampleData) await seedSamples(tx, config, now);
    return seeded;
  });
}
