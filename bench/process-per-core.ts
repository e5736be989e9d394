import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#server/db/database.ts';
import { kindsDue, readHeads } from '#server/features/seals/seal-store.ts';
import { type Program, startProgram } from '#server/testing/program.ts';
import { ADMIN_PASSWORD, BENCH_SECRET } from './bench-config.ts';
import { tell } from './figures.ts';

/** How the figures of several processes are told. */
export const MANY = 'a process a core';

/** Waits until what was built is sealed, as on a platform of some months: no list can be measured beside it. */
export async function untilSealed(db: Db): Promise<void> {
  while ((await kindsDue(db, await readHeads(db))).length > 0) await sleep(1_000);
}

/** The program with a process for each core behind one port, over a bench's own database. */
export async function processPerCore(db: Db, url: string, dataDir: string): Promise<Program> {
  const program = await startProgram({
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_PASSWORD },
    ...{ APP_SECRET: BENCH_SECRET, SERVERS: String(availableParallelism()) },
  });
  await untilSealed(db);
  return program;
}

/** How the figures are told of calls that ask something else each, where other calls ask the same. */
export const APART = 'each another';

/** What one process of ours comes to against another server, and what a process for each core does; rates by who has them, the other's in small letters. */
export function tellOurs(
  what: string,
  other: string,
  rates: Readonly<Record<string, number>>,
  goal: number,
): void {
  const show = (rate: number) => `${rate.toFixed(rate < 100 ? 1 : 0)}/s`;
  for (const apart of ['', APART])
    for (const who of ['ours', MANY]) {
      const rateOf = (name: string) => rates[apart ? `${name} ${apart}` : name];
      const rate = rateOf(who);
      const theirs = rateOf(other.toLowerCase()) ?? rates[other.toLowerCase()] ?? 0;
      const name = [what, apart, who === MANY ? MANY : ''].filter(Boolean).join(', ');
      if (rate !== undefined)
        tell({
          what: `${name}, against ${other}`,
          ...{ value: rate / theirs, unit: 'times its rate', goal: { least: goal } },
          note: `${show(theirs)} and ${show(rate)}`,
        });
    }
}
