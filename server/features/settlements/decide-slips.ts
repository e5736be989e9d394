import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import type { Change, Hold, Work } from './batch-rows.ts';
import { cutToCaps, sharedCapsOf } from './caps.ts';
import { type Bounds, decide, type Judge, lineJudge } from './decide.ts';
import { type OpenLine, type OpenSlip, readRules, slipsBefore } from './open-slips.ts';
import type { VoidInForce } from './voids-in-force.ts';

type Rules = ReadonlyMap<number, unknown>;
type Slips = ReadonlyMap<number, OpenSlip>;

const linesOf = (slips: readonly OpenSlip[]): OpenLine[] => slips.flatMap(({ lines }) => lines);
const byId = (slips: readonly OpenSlip[]): Slips => new Map(slips.map((slip) => [slip.id, slip]));

const rulesIdsOf = (lines: readonly OpenLine[]): number[] => lines.map(({ rulesId }) => rulesId);

/** The players with lines that are capped together with their other slips of the phase. */
function usersCapped(lines: readonly OpenLine[], slips: Slips, rules: Rules): Set<number> {
  const capped = new Set([...rules].filter(([, kept]) => sharedCapsOf(kept)?.user).map(([id]) => id));
  const own = lines.filter(({ rulesId }) => capped.has(rulesId));
  return new Set(own.flatMap(({ slipId }) => slips.get(slipId)?.userId ?? []));
}

/** Judges lines and cuts them to their caps. A slip with a line that cannot be judged is paid nothing and held. */
function capping(judge: Judge, lines: readonly OpenLine[], slips: Slips, rules: Rules): Judge {
  const caps = new Map([...rules].map(([id, kept]) => [id, sharedCapsOf(kept)]));
  if (![...caps.values()].some((each) => each)) return judge;
  const told = lines.map((line) => ({ line, target: judge(line) }));
  const unread = new Set(told.flatMap(({ line, target }) => ('problem' in target ? [line.slipId] : [])));
  const cut = cutToCaps(
    told.flatMap(({ line: { id, slipId, rulesId }, target }) =>
      'problem' in target || unread.has(slipId)
        ? []
        : [{ id, slipId, userId: given(slips.get(slipId)).userId, caps: caps.get(rulesId), target }],
    ),
  );
  return (line) => cut.get(line.id) ?? judge(line);
}

/**
 * What a result makes of slips: those that change, and those that are held. Settlements and previews both decide by this. Earlier slips of players
 * who are capped are judged along with theirs.
 */
export async function decideSlips(
  db: Db,
  work: Pick<Work, 'result'>,
  voids: readonly VoidInForce[],
  slips: readonly OpenSlip[],
  bounds: Bounds,
): Promise<(Change | Hold)[]> {
  const own = linesOf(slips);
  const known = bounds.rules ?? new Map<number, unknown>();
  const ownRules = await readRules(db, rulesIdsOf(own), known);
  const users = usersCapped(own, byId(slips), ownRules);
  const before = users.size > 0 ? await slipsBefore(db, voids, slips, users) : [];
  const earlier = linesOf(before);
  const rules = await readRules(db, rulesIdsOf(earlier), known);
  const all = byId([...before, ...slips]);
  const judge = lineJudge(work, all, voids, rules);
  const judgeCut = capping(judge, [...earlier, ...own], all, rules);
  return slips.flatMap((slip) => decide(slip, judgeCut, bounds) ?? []);
}
