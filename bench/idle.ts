import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '#server/testing/program.ts';
import { startOwnPostgres } from './own-postgres.ts';

// What a server sends to its database while nobody calls it and nothing is due: each statement, as PostgreSQL itself logs it.

const MINUTES = Number(process.env.MINUTES ?? 2);
/** The start's own work, and what is done once after it. */
const SETTLING_MS = 75_000;
const SHOWN = 16;

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-idle-'));
await (await startOwnPostgres({ dataDir })).stop();
appendFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), "log_statement = 'all'\n");
const postgres = await startOwnPostgres({ dataDir });
const log = join(dataDir, 'postgres', 'server.log');

/** Milliseconds of processor that a process has used so far, as Linux tells. */
function cpuMs(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The first words of the statements in a piece of the log, and how often each came. */
function statementsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of text.split(/^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m)) {
    const [, words] = /LOG: {2}(?:statement|execute [^:]+): (.*)$/s.exec(entry) ?? [];
    if (words === undefined) continue;
    const head = words.replace(/\s+/g, ' ').trim().slice(0, 90);
    counts.set(head, (counts.get(head) ?? 0) + 1);
  }
  return counts;
}

try {
  const program = await startProgram({ DATABASE_URL: postgres.ownerUrl });
  await sleep(SETTLING_MS);
  const from = statSync(log).size;
  const before = cpuMs(program.process.pid);
  await sleep(MINUTES * 60_000);
  const spent = (cpuMs(program.process.pid) - before) / MINUTES;
  const heard = readFileSync(log).subarray(from).toString();
  await program.end('SIGTERM');
  const counts = statementsIn(heard);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${Math.round(total / MINUTES)} statements and ${Math.round(spent)} ms of the server's processor a minute`,
  );
  for (const [head, count] of [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN))
    console.log(`${(count / MINUTES).toFixed(1).padStart(8)}  ${head}`);
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
