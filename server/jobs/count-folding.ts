import { foldCounts } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { type AppendedTable, sweepFolded } from '#server/db/sweep-folded.ts';
import { foldExposure } from '#server/features/exposure/exposure-store.ts';
import { foldReport } from '#server/features/reports/fold-report.ts';
import type { Part } from './part.ts';

/**
 * Dead rows are worth sweeping when there are many, and not all the time: every sweep is replayed by replicas, where it is in the
 * way of long queries. Fewer are left to the database's own sweeper, which comes once a minute.
 */
const WORTH_SWEEPING = 1_000;
const SWEEP_EVERY_MS = 10_000;

/** As long as there is something to fold, and when there was nothing the last time. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

/** What is folded: by whom, and the table to which writers append it. */
interface Folding {
  readonly name: string;
  readonly what: string;
  readonly fold: (db: Db, goesOn: () => boolean) => Promise<number>;
  readonly appended: AppendedTable;
}

/** Whoever comes while another folds goes away again, and nothing is lost while nobody does: reading only takes longer. */
function folding({ name, what, fold, appended }: Folding): Part {
  // What was left before this server started nobody here knows.
  let dead = WORTH_SWEEPING;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let next: number | undefined;
  return {
    name,
    what,
    everyMs: IDLE_MS,
    anyClock: true,
    nextDue: async ({ clock }) => (next ??= clock().getTime()),
    run: async ({ db, clock }, turn) => {
      const folded = await fold(db, () => !turn.isStopping());
      next = clock().getTime() + (folded > 0 ? BUSY_MS : IDLE_MS);
      dead += folded;
      if (turn.isStopping() || dead < WORTH_SWEEPING || performance.now() - sweptAt < SWEEP_EVERY_MS) return;
      dead = 0;
      sweptAt = performance.now();
      await sweepFolded(db, appended);
    },
  };
}

/** Counts of lists. */
export function countFolding(): Part {
  return folding({ name: 'fold-counts', what: '归并列表的计数', fold: foldCounts, appended: 'list_delta' });
}

/** Counters of the report. */
export function reportFolding(): Part {
  return folding({
    name: 'fold-report',
    what: '归并盈亏报表的计数',
    fold: foldReport,
    appended: 'report_delta',
  });
}

/** Counters of what phases stand to lose. */
export function exposureFolding(): Part {
  return folding({
    name: 'fold-exposure',
    what: '归并单期风险',
    fold: foldExposure,
    appended: 'exposure_delta',
  });
}
