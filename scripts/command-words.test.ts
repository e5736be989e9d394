import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { programEnvironment } from '#server/testing/program.ts';

/** A command as somebody at the server runs it, where no database is: how it ended, and what it said. */
const run = (script: string, words: readonly string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const env = { ...programEnvironment, PATH: process.env.PATH, DATA_DIR: '/nowhere' };
    const child = execFile(
      process.execPath,
      [`scripts/${script}.ts`, ...words],
      { env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
  });

it.each([
  ['approvals', 'approvals off', ['off', 'now']],
  ['bets-verify', 'bets:verify', ['7']],
  ['database', 'database', ['stop']],
  ['dump', 'dump -- 文件', ['my', 'file']],
  ['google-key-clear', 'google-key:clear -- 用户名', ['admin', 'other']],
  ['ledger-verify', 'ledger:verify', ['7']],
  ['password-reset', 'password:reset -- 用户名', ['admin', 'other']],
  ['prove', 'prove -- [锚点文件或短码]…', ['']],
  ['restore', 'restore -- 文件', ['my', 'file']],
])(
  '%s does nothing where it is given what it does not take',
  { timeout: 60_000 },
  async (script, usage, more) => {
    const told = { code: 1, said: `用法：npm run ${usage}\n` };
    expect(await Promise.all([more, ['--help']].map((words) => run(script, words)))).toEqual([told, told]);
    expect(existsSync('--help')).toBe(false);
  },
);
