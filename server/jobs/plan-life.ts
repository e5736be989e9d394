import type { FailedPhase } from '#server/features/draw-plans/draw-alarms.ts';
import { drawPromised, nextDraw } from '#server/features/draw-plans/local-draws.ts';
import { nextDue, openAllDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { nextPromise, PROMISES_AT_ONCE, promisePlans } from '#server/features/draw-plans/promise-plans.ts';
import { hurrySpiders } from '#server/features/spiders/spider-run.ts';
import type { JobServices, Part } from './part.ts';
import { createSignal } from './signal.ts';

/** Promises keep so far away from draws, on either side. */
const APART_MS = 100;

const tell = ({ log }: JobServices, failed: readonly FailedPhase[], what: string): void => {
  for (const phase of failed) log.error(phase, what);
};

/** What is known in this server of the draws that are due now and next. */
interface Draws {
  /** In epoch milliseconds. */
  next: number | undefined;
  lastAt: number;
}

const areNear = ({ next, lastAt }: Draws, { clock }: JobServices): boolean =>
  performance.now() - lastAt < APART_MS || (next !== undefined && next - clock().getTime() < APART_MS);

/**
 * The life of plans: opened at their draw time, drawn where that was promised, their spiders hurried. Promises of the next
 * ones are made beside that, between the draws.
 */
export function planLife(): readonly Part[] {
  const opened = createSignal();
  const waiting = new Set<number>();
  const draws: Draws = { next: undefined, lastAt: Number.NEGATIVE_INFINITY };
  const openPlans: Part = {
    name: 'open-plans',
    what: '到开奖时间的期次转为待开奖',
    everyMs: 1_000,
    nextDue: async ({ db, clock }) => {
      draws.next = await nextDue(db, clock());
      return draws.next;
    },
    run: async (services) => {
      draws.lastAt = performance.now();
      const { waiting: games, failed } = await openAllDuePlans(services.db, services.clock());
      for (const game of games) waiting.add(game);
      if (games.length > 0) opened.give();
      tell(services, failed, 'a plan cannot be opened');
    },
  };
  const localDraws: Part = {
    name: 'local-draws',
    what: '开出已承诺的本地期次',
    everyMs: 1_000,
    wokenBy: opened,
    nextDue: ({ db, clock }) => nextDraw(db, clock()),
    run: async (services, turn) => {
      for (let more = true; more && !turn.isStopping(); ) {
        draws.lastAt = performance.now();
        const { count, failed } = await drawPromised(services.db, services.vault, services.clock());
        tell(services, failed, 'a promised draw failed');
        more = count > 0;
      }
    },
  };
  const hurry: Part = {
    name: 'hurry-spiders',
    what: '让等待结果的游戏尽快采集',
    everyMs: 1_000,
    wokenBy: opened,
    // What this server opened; a spider that nobody hurried comes at its own time.
    nextDue: async ({ clock }) => (waiting.size > 0 ? clock().getTime() : undefined),
    run: async ({ db, clock }) => {
      const games = [...waiting];
      await hurrySpiders(db, games, clock(), Math.random);
      for (const game of games) waiting.delete(game);
    },
  };
  const promises: Part = {
    name: 'draw-promises',
    what: '为即将开盘的本地期次作开奖承诺',
    // A promise is made ten seconds before betting at the latest; plans and spiders that are new come in between.
    everyMs: 2_000,
    givesWay: (services) => areNear(draws, services),
    nextDue: ({ db, clock }) => nextPromise(db, clock()),
    run: async (services, turn) => {
      for (let more = true; more && !turn.isStopping(); ) {
        const { count, failed } = await promisePlans(services.db, services.vault, services.clock());
        tell(services, failed, 'a draw cannot be promised');
        // The rest comes at the next turn, which gives way to draws again.
        more = count === PROMISES_AT_ONCE && !areNear(draws, services);
      }
    },
  };
  return [openPlans, localDraws, hurry, promises];
}
