import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Statement } from './bare-server.ts';

interface Pgbench {
  url: string;
  /** The file the script is written to. */
  script: string;
  /** Of a credit of account 1; the account is drawn anew for each transaction. */
  statements: readonly Statement[];
  accounts: number;
  connections: number;
  seconds: number;
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
};

/** A statement with its values in place; whatever names account or user 1 names the one drawn. */
function inlined({ text, values }: Statement): string {
  const isAccount = (value: unknown) => value === 1 || value === '1';
  const filled = text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1];
    return isAccount(value) &&
      !/numeric/.test(text.slice(text.indexOf(`$${place}`), text.indexOf(`$${place}`) + 12))
      ? ':account'
      : literal(value);
  });
  return filled.replace(/\s+/g, ' ');
}

/** Transactions per second of pgbench running a credit's own statements; needs an installed pgbench. */
export function pgbenchRate({
  url,
  script,
  statements,
  accounts,
  connections,
  seconds,
}: Pgbench): Promise<number> {
  // What is heard of a call are its statements, not the transaction around them.
  const lines = ['begin;', ...statements.map((statement) => `${inlined(statement)};`), 'commit;'];
  writeFileSync(script, `\\set account random(1, ${accounts})\n${lines.join('\n')}\n`);
  const { hostname, port, username, password, pathname } = new URL(url);
  const args = [
    '-n',
    '-M',
    'prepared',
    '-f',
    script,
    '-c',
    String(connections),
    '-j',
    '2',
    '-T',
    String(seconds),
  ];
  const target = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  const output = execFileSync('pgbench', [...args, ...target], {
    env: { ...process.env, PGPASSWORD: password, PGTZ: 'Asia/Shanghai' },
  });
  return Promise.resolve(Number(/tps = ([\d.]+)/.exec(String(output))?.[1]));
}
