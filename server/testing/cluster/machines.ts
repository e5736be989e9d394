import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '#server/testing/program.ts';
import { own } from './service.ts';
import { deployed, readUnit, type Unit, variablesIn } from './unit.ts';

/** A machine of its own is a loopback address of its own here, so that ports and files are those of real machines. */
export const databaseHosts = ['127.77.0.11', '127.77.0.12', '127.77.0.13'] as const;
export const servingHosts = ['127.77.0.21', '127.77.0.22'] as const;

const [DB1, DB2, DB3] = databaseHosts;
const [APP1, APP2] = servingHosts;
const program = fileURLToPath(new URL('../../..', import.meta.url));

/** Passwords of a run: as files say `change-me`. */
export const password = randomBytes(12).toString('hex');
export const PLATFORM_API_KEY = `cluster-${randomBytes(24).toString('hex')}`;

/** What a machine's own environment says beside the files, for a test: who signs in, and what is on no real machine. */
const beside = {
  ...programEnvironment,
  PLATFORM_API_KEY,
  PORT: '8080',
  LOG_LEVEL: 'warn',
  DRAIN_SECONDS: '1',
  TRUSTED_PROXIES: '127.0.0.0/8',
};

const pathIn = (folder: string) => (path: string) =>
  path
    .replaceAll('/etc/back-office', join(folder, 'etc'))
    .replaceAll('/var/lib/back-office', join(folder, 'data'))
    .replaceAll('/opt/back-office', program);

/** Lays out a machine's files from those deployed, with its own address in them. Gives how its programs are run. */
export function layOut(folder: string, host: string): (unit: string) => Unit {
  const [etc, data] = [join(folder, 'etc'), join(folder, 'data')];
  for (const each of [etc, data]) mkdirSync(each, { recursive: true });
  for (const name of readdirSync(deployed).filter((each) => each !== 'units')) {
    cpSync(join(deployed, name), join(etc, name));
    const text = readFileSync(join(etc, name), 'utf8');
    writeFileSync(join(etc, name), text.replaceAll('@SELF@', host).replaceAll('change-me', password));
  }
  const set = (name: string, values: Readonly<Record<string, string>>) => {
    const said = { ...variablesIn(readFileSync(join(etc, name), 'utf8')), ...values };
    const lines = Object.entries(said).map(([key, value]) => `${key}=${value}\n`);
    writeFileSync(join(etc, name), lines.join(''));
  };
  set('cluster.env', { SELF: host, DB1, DB2, DB3, APP1, APP2, DATA: data });
  set('server.env', beside);
  const places = { etcd: 'etcd', postgres: 'postgres', server: 'back-office' };
  for (const [name, user] of Object.entries(places)) {
    mkdirSync(join(data, name), { mode: 0o700 });
    own(join(data, name), user);
  }
  // Patroni keeps a file of passwords beside its data.
  own(etc, 'postgres');
  return (unit) => readUnit(unit, pathIn(folder));
}
