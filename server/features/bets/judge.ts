import type { SelectionRule } from '#contract/selections.ts';
import { canonical, type Drawn, type Units, Unreadable, WON } from '../result-handlers/result-handler.ts';
import type { Winning } from '../result-handlers/winning-numbers.ts';
import { type HitWays, hitsOf, hitWays, together } from './hit-ways.ts';
import { byLowest } from './lowest.ts';
import type { Chosen, Selection } from './selection.ts';
import { groupSets, groupWays, unitsOf } from './units.ts';

/** What a draw makes of a line: units won by the row that pays them, and units given back; the others lost. */
export interface Judged {
  /** The row is a number, the name of an outcome, or `WON`. */
  readonly won: readonly { readonly row: string; readonly units: number }[];
  readonly pushed: number;
}

/** How a play way judges: its rule, its handler's way with units, and odds by number where the lowest of a unit counts. */
export interface Judging {
  readonly rule: SelectionRule | null;
  readonly units: Units | null;
  readonly lowest?: ((number: string) => string) | undefined;
}

export type GroupRule = Extract<SelectionRule, { kind: 'GROUP' }>;

const NOTHING: Judged = { won: [], pushed: 0 };

const winning = (counts: Iterable<{ row: string; units: bigint }>): Judged => ({
  won: [...counts].filter(({ units }) => units > 0n).map(({ row, units }) => ({ row, units: Number(units) })),
  pushed: 0,
});

function judgeSingle([chosen]: Selection, { outcome }: Winning): Judged {
  const told = Map.groupBy(chosen?.numbers ?? [], outcome);
  return {
    won: (told.get('WIN') ?? []).map((row) => ({ row, units: 1 })),
    pushed: told.get('PUSH')?.length ?? 0,
  };
}

function judgePlaces(selection: Selection, distinct: boolean, { values }: Drawn): Judged {
  if (values.length !== selection.length) throw new Unreadable(`结果须有 ${selection.length} 个位置`);
  const drawn = values.map(canonical);
  if (distinct && new Set(drawn).size < drawn.length) return NOTHING;
  const isHit = selection.every(({ numbers }, place) =>
    numbers.some((number) => canonical(number) === drawn[place]),
  );
  return isHit ? { won: [{ row: WON, units: 1 }], pushed: 0 } : NOTHING;
}

function judgeGroup(selection: Selection, { parts, shared = false }: GroupRule, { values }: Drawn): Judged {
  const times = Map.groupBy(values.map(canonical), (value) => value);
  const isHit = (number: string, part: number) =>
    (times.get(canonical(number))?.length ?? 0) >= (parts[part]?.repeat ?? 1);
  const sizes = groupSets(selection, parts).map(
    (set, part) => set.filter((number) => isHit(number, part)).length,
  );
  return winning([{ row: WON, units: groupWays(sizes, parts, shared) }]);
}

/** The hits that a number brings in each group of positions. */
export function hitsIn(drawn: Drawn, units: Units): (number: string) => number[] {
  const { date } = drawn;
  const values = units.seen?.(drawn.values) ?? drawn.values;
  const sizes = units.groups ?? [values.length];
  if (sizes.reduce((sum, size) => sum + size, 0) !== values.length)
    throw new Unreadable(`奖级不能用于 ${values.length} 个位置`);
  let start = 0;
  const groups = sizes.map((size) => {
    const own = values.slice(start, start + size).map((value) => units.member(value, date));
    start += size;
    return Map.groupBy(own, (member) => member);
  });
  const most = units.counts === 'NUMBERS' ? 1 : Number.POSITIVE_INFINITY;
  return (number) => {
    const name = units.named(number);
    return groups.map((group) => Math.min(most, group.get(name)?.length ?? 0));
  };
}

/** Units by what they won. */
export function rowsOf(ways: HitWays, units: Units, chosen: number, positions: number): Map<string, bigint> {
  const rows = new Map<string, bigint>();
  for (const [key, count] of ways) {
    const row = units.row(hitsOf(key), chosen, positions);
    if (row !== undefined) rows.set(row, (rows.get(row) ?? 0n) + count);
  }
  return rows;
}

function judgeCombination(
  [chosen]: Selection,
  choose: number,
  drawn: Drawn,
  units: Units,
  lowest: Judging['lowest'],
): Judged {
  const hits = hitsIn(drawn, units);
  const groups = units.groups?.length ?? 1;
  const rows = (part: Chosen) =>
    rowsOf(hitWays(part, choose, hits, groups), units, choose, drawn.values.length);
  if (!chosen) return NOTHING;
  if (!lowest) return winning([...rows(chosen)].map(([row, each]) => ({ row, units: each })));
  return winning(
    byLowest(chosen, lowest, (part) =>
      rows(part)
        .values()
        .reduce((a, b) => a + b, 0n),
    ),
  );
}

/** Each part of a ticket is looked for in its own group of positions. */
function judgeTicket(
  selection: Selection,
  { parts }: Extract<SelectionRule, { kind: 'TICKET' }>,
  drawn: Drawn,
  units: Units,
): Judged {
  const hits = hitsIn(drawn, units);
  const groups = units.groups?.length ?? 1;
  if (groups !== parts.length) throw new Unreadable(`奖级须有 ${parts.length} 组位置`);
  const ways = selection.map((chosen, part) =>
    hitWays(
      chosen,
      parts[part]?.choose ?? 0,
      (number) => hits(number).map((count, group) => (group === part ? count : 0)),
      groups,
    ),
  );
  const all = ways.reduce(together, new Map([[Array(groups).fill(0).join(), 1n]]));
  const chosen = parts.reduce((sum, { choose }) => sum + choose, 0);
  return winning(
    [...rowsOf(all, units, chosen, drawn.values.length)].map(([row, each]) => ({ row, units: each })),
  );
}

/** Tells what a draw makes of a selection, by arithmetic: no unit is ever listed. Throws `Unreadable`. */
export function judge(selection: Selection, { rule, units, lowest }: Judging, winning: Winning): Judged {
  if (rule === null) return judgeSingle(selection, winning);
  if (winning.reading.pushes.length > 0) return { won: [], pushed: unitsOf(selection, rule) };
  const { drawn } = winning;
  if (rule.kind === 'PLACES') return judgePlaces(selection, rule.distinct ?? false, drawn);
  if (rule.kind === 'GROUP') return judgeGroup(selection, rule, drawn);
  if (units === null) throw new Unreadable('该结果处理器不能用于这种选号方式');
  if (rule.kind === 'TICKET') return judgeTicket(selection, rule, drawn, units);
  return judgeCombination(selection, rule.choose, drawn, units, lowest);
}
