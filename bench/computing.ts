import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** Ticks of a process's clock a second, as Linux tells them. */
const TICKS = 100;

/** Milliseconds that a process has computed. */
export const computedBy = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * (1_000 / TICKS);
  } catch {
    // It has gone meanwhile.
    return 0;
  }
};

async function computedByDatabase(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return new Map(rows.map(({ pid }) => [pid, computedBy(pid)]));
}

const computedHere = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Processor time, which says something on a machine that is not quiet too: of the server, which is this process unless told otherwise, and of the database's sessions. */
export class Computing {
  server = 0;
  database = 0;
  calls = 0;
  private readonly byServer: () => number;

  constructor(byServer = computedHere) {
    this.byServer = byServer;
  }

  /** Runs a load of so many seconds, which tells its rate. */
  async during(db: Db, seconds: number, load: () => Promise<number>): Promise<number> {
    const rate = await this.ofCalls(db, 0, load);
    this.calls += rate * seconds;
    return rate;
  }

  /** Runs work of so many calls. */
  async ofCalls<T>(db: Db, calls: number, work: () => Promise<T>): Promise<T> {
    const [own, others] = [this.byServer(), await computedByDatabase(db)];
    const done = await work();
    this.server += this.byServer() - own;
    for (const [pid, after] of await computedByDatabase(db)) this.database += after - (others.get(pid) ?? 0);
    this.calls += calls;
    return done;
  }

  /** Milliseconds a call. */
  toString(): string {
    const each = (all: number) => (all / this.calls).toFixed(3);
    return `${each(this.server)} + ${each(this.database)} ms`;
  }
}
