import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isAlive } from './living-process.ts';
import { EmbeddedPostgresError } from './postgres-binaries.ts';
import type { Cluster } from './postmaster.ts';
import { type Runner, reasonOf } from './unprivileged.ts';

const MAJOR_VERSION = '18';

const Kept = z.object({
  port: z.int().min(0).max(65_535),
  adminPassword: z.string().min(1),
  /** The owner's. */
  password: z.string().min(1),
  /** Missing in a folder of before there were two roles, until the first start since. */
  serverPassword: z.string().min(1).optional(),
  /** Whether the roles and the database have been made. */
  made: z.boolean(),
});
/** Kept in DATA_DIR/postgres.json, readable by its owner only. */
export type Kept = z.infer<typeof Kept>;

/** What the file says; nothing when there is none. Throws `EmbeddedPostgresError` when it cannot be read. */
export function readKept(file: string): Kept | null {
  if (!existsSync(file)) return null;
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new EmbeddedPostgresError(
      `${file}（内置 PostgreSQL 的端口与密码）已损坏或无法读取，请从备份恢复这个文件`,
    );
  }
}

export function writeKept(file: string, kept: Kept, place = renameSync): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  try {
    place(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

export const choosePassword = (): string => randomBytes(24).toString('hex');

/** Passwords are chosen once, whoever comes first: servers that start together must agree on them. */
export function chooseKept(file: string): Kept {
  const chosen = {
    port: 0,
    adminPassword: choosePassword(),
    password: choosePassword(),
    serverPassword: choosePassword(),
    made: false,
  };
  try {
    writeKept(file, chosen, linkSync);
    return chosen;
  } catch (error) {
    const first = readKept(file);
    if (!first) throw error;
    return first;
  }
}

/** Gives a folder and all in it to the account PostgreSQL runs under, as after a restore made by root. */
function give(folder: string, owner: Runner['owner']): void {
  if (!owner) return;
  chownSync(folder, owner.uid, owner.gid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry);
    if (!lstatSync(path).isSymbolicLink()) chownSync(path, owner.uid, owner.gid);
  }
}

/** Removes what starts that were cut short have left behind. */
function sweep(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    const pid = name.startsWith(`${basename(folder)}.`) ? /\.(\d+)(\.password)?$/.exec(name)?.[1] : undefined;
    if (pid && !isAlive(Number(pid))) rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}

/** Makes the folder beside its place and moves it there when complete, so that a start cut short leaves nothing half made. */
export async function initialise(
  { folder, binaries, runner, durable }: Cluster,
  adminPassword: string,
): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  const passwordFile = `${fresh}.password`;
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, adminPassword, { mode: 0o600 });
  if (runner.owner) chownSync(passwordFile, runner.owner.uid, runner.owner.gid);
  give(fresh, runner.owner);
  sweep(folder);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  try {
    await runner.run(binaries.initdb, [
      '-D',
      fresh,
      ...access,
      ...locale,
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another server may have been faster; the lock will tell the two apart.
    if (!existsSync(folder))
      throw new EmbeddedPostgresError(`内置 PostgreSQL 初始化失败（${folder}）。原因：${reasonOf(error)}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Refuses a folder of another version or another user's, and takes over one that a restore left with root. */
export function checkFolder({ folder, runner }: Cluster): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR_VERSION)
    throw new EmbeddedPostgresError(
      `${folder} 是 PostgreSQL ${version} 的数据，本程序内置的是 ${MAJOR_VERSION}；请用原来的程序 npm run dump 导出，再用本程序 npm run restore 恢复到新的 DATA_DIR`,
    );
  const { uid } = statSync(folder);
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && uid !== me)
    throw new EmbeddedPostgresError(`${folder} 属于另一个用户（uid ${uid}），请用该用户或 root 启动`);
  if (runner.owner && uid !== runner.owner.uid) give(folder, runner.owner);
}
