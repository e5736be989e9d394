import type { SelectionRule } from '#contract/selections.ts';
import { findResultHandler } from '../result-handlers/registry.ts';
import type { Reading, Units } from '../result-handlers/result-handler.ts';
import type { BetNumber, ReadableLatitude, Winning } from '../result-handlers/winning-numbers.ts';
import { hitsIn, judge } from './judge.ts';
import { partsOfRule, poolOf, type Selection } from './selection.ts';

/** What can be bet on by way of a latitude: single numbers, and selections of several. */
export interface Bettable {
  readonly numbers: readonly BetNumber[];
  readonly selections: readonly SelectionRule[];
}

type Shown = Pick<Reading, 'winners' | 'pushes'>;
const NOTHING: Shown = { winners: [], pushes: [] };

/** All that can be chosen of a rule; of a group one set for all its parts, so that no number serves twice. */
const whole = (rule: SelectionRule): [SelectionRule, Selection] => {
  const selection = partsOfRule(rule).map(({ pool }) => ({ bankers: [], numbers: pool }));
  if (rule.kind !== 'GROUP') return [rule, selection];
  return [{ ...rule, shared: true }, [{ bankers: [], numbers: poolOf(rule) }]];
};

/** Numbers that came; where only units of which none came win, those that did not. */
function ofHits(rule: SelectionRule, units: Units, { drawn }: Winning): string[] {
  const hits = hitsIn(drawn, units);
  const came = (number: string) => hits(number).some((count) => count > 0);
  const pool = poolOf(rule);
  const [part] = partsOfRule(rule);
  const none = Array<number>(units.groups?.length ?? 1).fill(0);
  const onlyMisses = units.outcomes?.length === 1 && units.row(none, part?.choose ?? 0, 1) !== undefined;
  return pool.filter((number) => came(number) !== onlyMisses);
}

/** Of all that can be chosen by a rule what won: the numbers in their order, those of a group by size, or each number that came. */
function shownOf(rule: SelectionRule, units: Units | null, winning: Winning): Shown {
  const [judged, all] = whole(rule);
  const { won, pushed } = judge(all, { rule: judged, units }, winning);
  if (pushed > 0) return { winners: [], pushes: poolOf(rule) };
  if (won.length === 0) return NOTHING;
  const { values } = winning.drawn;
  if (rule.kind === 'PLACES') return { winners: [values.join(',')], pushes: [] };
  if (rule.kind === 'GROUP')
    return { winners: [values.toSorted((one, other) => Number(one) - Number(other)).join(',')], pushes: [] };
  // Parts of a ticket may have the same numbers: what was drawn says more.
  if (rule.kind === 'TICKET') return { winners: [...values], pushes: [] };
  return { winners: units ? ofHits(rule, units, winning) : [], pushes: [] };
}

/** What won of all that can be bet on; where nothing can be yet, what the latitude's handler says. */
export function shownWinners(
  latitude: ReadableLatitude,
  { numbers, selections }: Bettable,
  winning: Winning,
): Shown {
  const handler = findResultHandler(latitude.resultHandlerName);
  const units = handler?.units(latitude.handlerOptions ? JSON.parse(latitude.handlerOptions) : {}) ?? null;
  const singles = numbers.length > 0 || selections.length === 0 ? winning.among(numbers) : NOTHING;
  const all = [singles, ...selections.map((rule) => shownOf(rule, units, winning))];
  return {
    winners: [...new Set(all.flatMap(({ winners }) => winners))],
    pushes: [...new Set(all.flatMap(({ pushes }) => pushes))],
  };
}
