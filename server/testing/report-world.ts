import { sql } from 'kysely';
import type { Input, Output } from '#contract/endpoint.ts';
import type { pageReport as asked } from '#contract/reports.ts';
import type { Db } from '#server/db/database.ts';
import type { bruteReport } from './brute-report.ts';
import { buildGame } from './build-game.ts';
import type { BuiltRules } from './build-slips.ts';

const numbers = Array.from({ length: 10 }, (_, digit) => String(digit));
/** Each play way is of one game. */
const rulesOf: readonly (readonly BuiltRules[])[] = [['first', 'size'], ['second']];

export interface Phase {
  readonly gameId: number;
  readonly rules: readonly BuiltRules[];
  readonly phase: string;
  record?: { id: number; result: string };
  void?: number | undefined;
}

/** Two games, each with a phase a day on four days that are over, one of today, and one that is open. */
export async function buildPhases(db: Db, daysBack: number): Promise<Phase[]> {
  const built: Phase[] = [];
  for (const rules of rulesOf) {
    const gameId = await buildGame(db, { phase: '1', status: false, stopBetSecond: 2, numbers });
    const add = async (phase: string, end: ReturnType<typeof sql>) => {
      await sql`
        insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
        values (${gameId}, ${phase}, ${end} - interval '2 hours', ${end}, ${phase === 'open' ? 'WAITTING' : 'OPENING'})`.execute(
        db,
      );
      built.push({ gameId, rules, phase });
    };
    for (const days of [0, 1, 2, 3])
      await add(
        `p${days}`,
        sql`date_trunc('second', now()) - make_interval(days => ${daysBack + days}, mins => 10)`,
      );
    await add('now', sql`date_trunc('second', now()) - interval '5 minutes'`);
    await add('open', sql`date_trunc('second', now()) + interval '30 minutes'`);
  }
  return built;
}

export interface World {
  readonly db: Db;
  readonly model: ReturnType<typeof bruteReport>;
  readonly phases: readonly Phase[];
  readonly users: readonly number[];
  readonly today: string;
  /** What closed days said when they were closed. */
  readonly closed: Map<string, Output<typeof asked>>;
}

/** The whole of a grouping, on one page. */
export const whole = (
  groupBy: Input<typeof asked>['groupBy'],
  filter: Partial<Input<typeof asked>> = {},
) => ({
  ...{ groupBy, currentPage: 1, pageSize: 9999 },
  ...filter,
});
