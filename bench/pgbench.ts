import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Pgbench {
  url: string;
  /** The script's file; its `:accounts` is set. */
  script: string;
  accounts: number;
  connections: number;
  seconds: number;
}

/** Transactions per second of pgbench; needs an installed pgbench. */
export async function pgbenchRate({ url, script, accounts, connections, seconds }: Pgbench): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const how = ['-n', '-M', 'prepared', '-f', script, '-D', `accounts=${accounts}`];
  const load = ['-c', String(connections), '-j', '2', '-T', String(seconds)];
  const target = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  const { stdout } = await promisify(execFile)('pgbench', [...how, ...load, ...target], {
    env: { ...process.env, PGPASSWORD: password, PGTZ: 'Asia/Shanghai' },
  });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
