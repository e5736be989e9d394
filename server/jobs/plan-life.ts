import type { FailedPhase } from '#server/features/draw-plans/draw-alarms.ts';
import { drawPromised, nextDraw } from '#server/features/draw-plans/local-draws.ts';
import { nextDue, openAllDuePlans } from '#server/features/draw-plans/plan-life.ts';
import { nextPromise, PROMISES_AT_ONCE, promisePlans } from '#server/features/draw-plans/promise-plans.ts';
import { hurrySpiders } from '#server/features/spiders/spider-run.ts';
import { type Draws, watchDraws } from './draws-under-way.ts';
import type { JobServices, Part } from './part.ts';
import { createSignal, type Signal } from './signal.ts';

const tell = ({ log }: JobServices, failed: readonly FailedPhase[], what: string): void => {
  for (const phase of failed) log.error(phase, what);
};

/** What a server has just opened: who draws and who hurries hear of it at once. */
interface Opened {
  readonly word: Signal;
  readonly games: Set<number>;
}

const openPlans = (draws: Draws, opened: Opened): Part => ({
  name: 'open-plans',
  what: '到开奖时间的期次转为待开奖',
  everyMs: 1_000,
  nextDue: async ({ db, clock }) => draws.expect(await nextDue(db, clock())),
  run: (services) =>
    draws.during(async () => {
      const { waiting, failed } = await openAllDuePlans(services.db, services.clock());
      for (const game of waiting) opened.games.add(game);
      if (waiting.length > 0) opened.word.give();
      tell(services, failed, 'a plan cannot be opened');
    }),
});

const localDraws = (draws: Draws, { word }: Opened, drawn: Signal): Part => ({
  name: 'local-draws',
  what: '开出已承诺的本地期次',
  // Whoever opens a plan draws it at once; what a server that died left undrawn is found here.
  everyMs: 2_000,
  wokenBy: word,
  nextDue: ({ db, clock }) => nextDraw(db, clock()),
  run: (services, turn) =>
    draws.during(async () => {
      for (let more = true; more && !turn.isStopping(); ) {
        const { count, failed } = await drawPromised(services.db, services.vault, services.clock());
        tell(services, failed, 'a promised draw failed');
        more = count > 0;
        if (more) drawn.give();
      }
    }),
});

const hurry = ({ word, games }: Opened): Part => ({
  name: 'hurry-spiders',
  what: '让等待结果的游戏尽快采集',
  everyMs: 1_000,
  wokenBy: word,
  // What this server opened; a spider that nobody hurried comes at its own time.
  nextDue: async ({ clock }) => (games.size > 0 ? clock().getTime() : undefined),
  run: async ({ db, clock }) => {
    const hurried = [...games];
    await hurrySpiders(db, hurried, clock(), Math.random);
    for (const game of hurried) games.delete(game);
  },
});

const promises = (draws: Draws): Part => ({
  name: 'draw-promises',
  what: '为即将开盘的本地期次作开奖承诺',
  // A promise is made ten seconds before betting at the latest; plans and spiders that are new come in between.
  everyMs: 2_000,
  givesWay: ({ clock }) => draws.areNear(clock()),
  nextDue: ({ db, clock }) => nextPromise(db, clock()),
  run: async (services, turn) => {
    const { db, vault, clock } = services;
    for (let more = true; more && !turn.isStopping(); ) {
      const { count, failed } = await promisePlans(db, vault, clock());
      tell(services, failed, 'a draw cannot be promised');
      // The rest comes at the next turn, which gives way to draws again.
      more = count === PROMISES_AT_ONCE && !draws.areNear(clock());
    }
  },
});

/**
 * The life of plans: opened at their draw time, drawn where that was promised, their spiders hurried. Promises of the next
 * ones are made beside that, between the draws. `drawn` tells of results.
 */
export function planLife(drawn = createSignal()): readonly Part[] {
  const draws = watchDraws();
  const opened: Opened = { word: createSignal(), games: new Set() };
  return [openPlans(draws, opened), localDraws(draws, opened, drawn), hurry(opened), promises(draws)];
}
