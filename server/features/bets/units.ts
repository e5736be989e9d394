import type { SelectionRule } from '#contract/selections.ts';
import { choices, distinctWays } from './counting.ts';
import type { Chosen, Selection } from './selection.ts';

/** At most so many units a line. */
export const MOST_UNITS = 100_000;

/** How many ways there are to choose for each part of a group, of sets of these sizes, no number for two of them. */
export function groupWays(
  sizes: readonly number[],
  parts: readonly { readonly repeat: number; readonly choose: number }[],
  shared: boolean,
): bigint {
  let taken = 0;
  let ways = 1n;
  // Of a shared set those that may come more often are fewer and among the others: they are chosen first.
  const order = [...parts.keys()].toSorted((a, b) => (parts[b]?.repeat ?? 0) - (parts[a]?.repeat ?? 0));
  for (const part of order) {
    const { choose = 0 } = parts[part] ?? {};
    ways *= choices((sizes[part] ?? 0) - (shared ? taken : 0), choose);
    taken += choose;
  }
  return ways;
}

/** The set that each part of a group is chosen from. */
export const groupSets = (selection: Selection, parts: readonly unknown[]): (readonly string[])[] =>
  parts.map((_, part) => (selection[part] ?? selection[0])?.numbers ?? []);

const ticketWays = (selection: Selection, chooses: readonly number[]): bigint =>
  selection
    .map(({ bankers, numbers }: Chosen, part) =>
      choices(numbers.length, (chooses[part] ?? 0) - bankers.length),
    )
    .reduce((product, each) => product * each, 1n);

function placesWays(selection: Selection, distinct: boolean): number {
  const sets = selection.map(({ numbers }) => numbers);
  return distinct ? distinctWays(sets) : sets.reduce((product, set) => product * set.length, 1);
}

/** How many units a selection has. Exact below 2^53, and above any limit beyond that. */
export function unitsOf(selection: Selection, rule: SelectionRule | null): number {
  if (rule === null) return selection[0]?.numbers.length ?? 0;
  if (rule.kind === 'PLACES') return placesWays(selection, rule.distinct ?? false);
  if (rule.kind === 'GROUP')
    return Number(
      groupWays(
        groupSets(selection, rule.parts).map(({ length }) => length),
        rule.parts,
        rule.shared ?? false,
      ),
    );
  const chooses = rule.kind === 'TICKET' ? rule.parts.map(({ choose }) => choose) : [rule.choose];
  return Number(ticketWays(selection, chooses));
}
