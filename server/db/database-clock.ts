import { sql } from 'kysely';
import type { Log } from '#server/log.ts';
import type { Db } from './database.ts';

/** Every so often the database is asked again. */
const EVERY_MS = 2_000;
/** What a monotonic clock may be wrong by in that time, generously. */
const DRIFT_MS = 1;
/** A process's own clock further off than this is worth a warning … */
const WARN_MS = 1_000;
/** … and further off than this it is not trusted with anything that is due. */
const UNFIT_MS = 5_000;

/** The one source of time for whatever is due: the database's clock, the same for all servers. */
export interface DatabaseClock {
  /** The database's time: never ahead of it, and behind by a round trip at most. */
  now(): Date;
  /** By how many milliseconds the process's own clock is ahead of the database's. */
  aheadMs(): number;
  /** Why this server may do nothing by the clock at present; nothing when it may. */
  unfit(): string | undefined;
  /** From now on changes of the own clock's state are told there. */
  tell(log: Log): void;
  stop(): void;
}

/** Between which two values the database's epoch milliseconds less ours on the monotonic clock lie. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

async function ask(db: Db): Promise<Bounds> {
  const before = performance.now();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const after = performance.now();
  const ms = rows[0]?.ms ?? Number.NaN;
  return { least: ms - after, most: ms - before };
}

/** What an earlier and a new reading say together. Where they contradict, the database's clock was set: the new one counts. */
export function narrowed(held: Bounds, read: Bounds): Bounds {
  const least = Math.max(held.least - DRIFT_MS, read.least);
  const most = Math.min(held.most + DRIFT_MS, read.most);
  return least <= most ? { least, most } : read;
}

const seconds = (ms: number): string => (Math.abs(ms) / 1000).toFixed(1);

interface Options {
  /** The process's own clock, epoch milliseconds; tests bring their own. */
  readonly ownClock?: () => number;
}

/** The database's time at this moment, for what needs it once. */
export async function databaseTime(db: Db): Promise<Date> {
  return new Date((await ask(db)).least + performance.now());
}

/** Reads the database's clock, keeps time by a monotonic one, and reads again every few seconds. */
export async function startDatabaseClock(db: Db, options: Options = {}): Promise<DatabaseClock> {
  const { ownClock = () => Date.now() } = options;
  let bounds = await ask(db);
  let log: Log | undefined;
  let toldLevel = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** How far the own clock is ahead for certain, and at the most. */
  const ahead = (): Bounds => {
    const own = ownClock() - performance.now();
    return { least: own - bounds.most, most: own - bounds.least };
  };
  /** Whether the own clock is off by more than that, beyond the doubt of the readings. */
  const isOff = (limit: number): boolean => {
    const { least, most } = ahead();
    return least > limit || most < -limit;
  };
  const report = (): void => {
    const level = isOff(UNFIT_MS) ? 2 : isOff(WARN_MS) ? 1 : 0;
    if (!log || level === toldLevel) return;
    toldLevel = level;
    const details = { aheadSeconds: Math.round(ahead().most) / 1000 };
    if (level === 2) log.error(details, 'the clock of this server is off: no timed work until it is set');
    else if (level === 1) log.warn(details, 'the clock of this server is off');
    else log.info(details, 'the clock of this server is right again');
  };
  const next = (): void => {
    timer = setTimeout(() => {
      void ask(db)
        .then((read) => {
          bounds = narrowed(bounds, read);
        })
        // While the database is away nothing is due; the monotonic clock goes on.
        .catch(() => {})
        .finally(() => {
          report();
          if (!stopped) next();
        });
    }, EVERY_MS).unref();
  };
  next();

  return {
    now: () => new Date(performance.now() + bounds.least),
    aheadMs: () => ahead().most,
    unfit: () => {
      if (!isOff(UNFIT_MS)) return undefined;
      const { most } = ahead();
      return `本机时钟比数据库${most > 0 ? '快' : '慢'} ${seconds(most)} 秒，超过 ${UNFIT_MS / 1000} 秒：本机不做开奖、承诺、采集、邮件等定时工作，校准后自动恢复`;
    },
    tell: (to) => {
      log = to;
      report();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
