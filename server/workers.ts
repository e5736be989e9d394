import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { GrowingSums, type Measurements } from './growing-sums.ts';

// One port, several processes: this one prepares the database, hands out the port and looks after the others, which are ordinary servers.

/** A process that ends at once is not started again without a pause. */
const PAUSE_MS = 1_000;

/** What a server process says to the one that looks after it. */
export type Said =
  | { readonly listening: string }
  /** It wants those of all. */
  | { readonly measurements: number }
  /** Its own, for which it was asked; of each registry a list. */
  | { readonly own: readonly Measurements[]; readonly asked: number };
/** What it is told: the measurements of all, or to tell its own. */
export type Told = { readonly measurements: number; readonly text: string } | { readonly ask: number };

/** One that ends before it listens has said why. */
class ServersNotStarted extends Error {
  override name = 'ServersNotStarted';
}

interface Workers {
  /** Where they listen, once all do; throws when one ends before it listens. */
  readonly listening: Promise<string>;
  /** Hands a signal on and waits until all have ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** What a server process is started with: the database that stands ready, and what was found out of the data's folder. */
const environmentOf = (config: Config, url: string) => ({
  ...process.env,
  DATABASE_URL: url,
  DATABASE_OWNER_URL: '',
  APP_SECRET: config.secret.toString('base64'),
  SAMPLE_DATA: String(config.sampleData),
  DRAIN_SECONDS: String(config.drainSeconds),
});

/** A process that hangs must not take the others' measurements with it. */
const TELL_MS = 2_000;
let asked = 0;

/** What a process measured; nothing where it ends or hangs. */
function ask(worker: Worker): Promise<readonly Measurements[]> {
  const number = ++asked;
  return new Promise((resolve) => {
    const hear = (said: Said) => 'own' in said && said.asked === number && end(said.own);
    const gone = () => end([]);
    const timer = setTimeout(gone, TELL_MS);
    function end(told: readonly Measurements[]): void {
      clearTimeout(timer);
      worker.off('message', hear).off('exit', gone);
      resolve(told);
    }
    worker.on('message', hear).on('exit', gone);
    worker.send({ ask: number } satisfies Told, (error) => error && gone());
  });
}

/** Starts as many servers as are wanted, and another one in the place of each that ends by itself. */
export function startWorkers(config: Config, url: string, program: string): Workers {
  // As JSON a figure that cannot be read, which is no number, would come as 0.
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' });
  const environment = environmentOf(config, url);
  /** Those alone are asked what they measure: one that is only starting would answer too late. */
  const listening = new Set<Worker>();
  const sums = new GrowingSums<Worker>();
  let ending = false;

  async function measurements(): Promise<string> {
    const asked = await Promise.all(
      Array.from(listening, async (worker) => [worker, await ask(worker)] as const),
    );
    // One that has ended since it told is among those that have ended already.
    return sums.text(new Map(asked.filter(([worker]) => listening.has(worker))));
  }

  const start = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork(environment);
      worker.on('message', (said: Said) => {
        if ('listening' in said) {
          listening.add(worker);
          resolve(said.listening);
        } else if ('measurements' in said) {
          const asked = said.measurements;
          void measurements().then((text) =>
            worker.send({ measurements: asked, text } satisfies Told, () => {}),
          );
        }
      });
      worker.once('exit', (code, signal) => {
        sums.end(worker);
        if (!listening.delete(worker))
          reject(new ServersNotStarted(`服务进程没有启动（${signal ?? code}），原因见上`));
        else if (!ending) void replace(`${signal ?? code}`);
      });
    });

  async function replace(why: string): Promise<void> {
    console.error(`一个服务进程意外退出（${why}），正在重新启动…`);
    for (;;) {
      await sleep(PAUSE_MS);
      if (ending) return;
      const started = await start().then(
        () => true,
        () => false,
      );
      if (started) return;
    }
  }

  const first = start();
  return {
    // The first one alone: what it finds to complain of is said once.
    listening: first.then(async (address) => {
      await Promise.all(Array.from({ length: config.servers - 1 }, start));
      return address;
    }),
    async end(signal) {
      ending = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(
        workers.map(async (worker) => {
          if (worker.isDead()) return;
          const ended = once(worker, 'exit');
          worker.process.kill(signal);
          await ended;
        }),
      );
    },
  };
}
