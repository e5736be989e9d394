import type { SelectionRule } from '#contract/selections.ts';
import { partsOfRule, type Selection } from '#server/features/bets/selection.ts';

/** Random numbers that are the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffled<T>(all: readonly T[], random: (below: number) => number): T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(random(left.length), 1));
}

/** A selection of few units: some of the numbers that are liked (those that were drawn), others at random, and at times a banker. */
export function fewUnits(
  rule: SelectionRule,
  isLiked: (number: string, part: number) => boolean,
  random: (below: number) => number,
): Selection {
  const used = new Set<string>();
  return partsOfRule(rule).map(({ pool, choose, mayBank }, part) => {
    const free = shuffled(pool, random).filter((number) => rule.kind !== 'GROUP' || !used.has(number));
    const liked = free
      .filter((number) => isLiked(number, part))
      .slice(0, choose - random(Math.min(choose, 3)));
    const others = free.filter((number) => !liked.includes(number));
    const chosen = [...liked, ...others].slice(0, choose + 1);
    for (const number of chosen) used.add(number);
    const banked = mayBank ? random(2) : 0;
    return { bankers: chosen.slice(0, banked), numbers: chosen.slice(banked) };
  });
}
