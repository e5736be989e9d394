import type { Db } from '#server/db/database.ts';
import {
  type Change,
  type Hold,
  linesOf,
  type OpenSlip,
  readRules,
  type VoidInForce,
  type Work,
} from './batch-rows.ts';
import { type Bounds, decide, lineJudge } from './decide.ts';

/** What a result makes of slips: those that change, and those that are held. A settlement and the preview of one decide by this alone. */
export async function decideSlips(
  db: Db,
  work: Pick<Work, 'result'>,
  voids: readonly VoidInForce[],
  slips: readonly OpenSlip[],
  bounds: Bounds,
): Promise<(Change | Hold)[]> {
  const lines = await linesOf(
    db,
    slips.map(({ id }) => id),
  );
  const rules = await readRules(
    db,
    lines.map(({ rulesId }) => rulesId),
    bounds.rules,
  );
  const judge = lineJudge(work, new Map(slips.map((slip) => [slip.id, slip])), voids, rules);
  const ofSlip = Map.groupBy(lines, ({ slipId }) => slipId);
  return slips.flatMap((slip) => decide(slip, ofSlip.get(slip.id) ?? [], judge, bounds) ?? []);
}
