import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { LogOutput } from './log-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINES = 20_000;
const lineOf = (n: number) => `{"line":${n},"msg":"日志"}\n`;
const all = Array.from({ length: LINES }, (_, n) => lineOf(n));

describe('the log', () => {
  it('goes to its file line by line, those of the last moment too', async () => {
    const file = join(folder, 'log');
    const output = new LogOutput(openSync(file, 'w'));
    for (const line of all) output.write(line);
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(all.join(''));
    output.write('the last\n');
    await sleep(50);
    output.write('the very last\n');
    output.flush();
    await expect.poll(() => readFileSync(file, 'utf8').slice(-23)).toBe('the last\nthe very last\n');
  });

  it.skipIf(process.platform === 'win32')(
    'comes whole to a reader who takes nothing for a while',
    async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const ends = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      const output = new LogOutput(ends);
      for (const line of all) output.write(line);
      await sleep(300);
      const pieces: Buffer[] = [];
      const text = () => {
        const buffer = Buffer.alloc(65_536);
        try {
          for (let read = 1; read > 0; ) {
            read = readSync(ends, buffer);
            pieces.push(Buffer.from(buffer.subarray(0, read)));
          }
        } catch {
          // There is nothing at the moment.
        }
        return Buffer.concat(pieces).toString();
      };
      await expect.poll(text, { timeout: 30_000 }).toBe(all.join(''));
      closeSync(ends);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'keeps no process from ending whose reader takes nothing',
    async () => {
      const script = `
        const { LogOutput } = await import(${JSON.stringify(new URL('./log-output.ts', import.meta.url).href)});
        const log = new LogOutput(process.stdout.fd);
        process.once('exit', () => log.flush());
        for (let n = 0; n < 20_000; n++) log.write('x'.repeat(100) + '\\n');
        setTimeout(() => process.exit(), 200);`;
      const command = '("$0" --input-type=module -e "$1"; echo ended >&2) | sleep 60';
      const shell = spawn('sh', ['-c', command, process.execPath, script], {
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      });
      const [said] = (await once(shell.stderr, 'data')) as [Buffer];
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
      expect(String(said)).toBe('ended\n');
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'that a full disk does not take ends nothing, and keeps nothing from ending',
    async () => {
      const output = new LogOutput(openSync('/dev/full', 'w'));
      // Far more than is kept.
      for (let n = 0; n < 10; n++) for (const line of all) output.write(line);
      await sleep(300);
      output.write('more\n');
      output.flush();
      await sleep(150);
    },
  );
});
