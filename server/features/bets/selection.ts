import type { SelectionRule } from '#contract/selections.ts';

/** What is chosen of one part: numbers of which so many make a unit, and bankers that are in every unit. */
export interface Chosen {
  readonly bankers: readonly string[];
  readonly numbers: readonly string[];
}

/** What a player chose: a part for each place or part of the rule, or the only one. */
export type Selection = readonly Chosen[];

/** What is wrong with a selection; its message is a Chinese sentence. */
export class BadSelection extends Error {
  override name = 'BadSelection';
}

/** A part of a rule: how many of which numbers make a unit. */
export interface RulePart {
  readonly pool: readonly string[];
  readonly choose: number;
  readonly mayBank: boolean;
}

const listOf = (of: readonly (string | readonly string[])[] | undefined, part: number): readonly string[] => {
  const own = of?.[part];
  if (Array.isArray(own)) return own;
  return (of ?? []).filter((each) => typeof each === 'string');
};

/** The parts that a selection has by its rule. */
export function partsOfRule(rule: SelectionRule): RulePart[] {
  if (rule.kind === 'COMBINATION') return [{ pool: rule.of, choose: rule.choose, mayBank: rule.choose > 1 }];
  if (rule.kind === 'TICKET')
    return rule.parts.map(({ choose, of, bankers = false }, part) => ({
      ...{ pool: of ?? listOf(rule.of, part), choose },
      mayBank: bankers && choose > 1,
    }));
  if (rule.kind === 'PLACES')
    return Array.from({ length: rule.places }, (_, part) => ({
      ...{ pool: listOf(rule.of, part), choose: 1, mayBank: false },
    }));
  if (rule.shared) {
    const choose = rule.parts.reduce((sum, part) => sum + part.choose, 0);
    return [{ pool: listOf(rule.of, 0), choose, mayBank: false }];
  }
  return rule.parts.map(({ choose }, part) => ({ pool: listOf(rule.of, part), choose, mayBank: false }));
}

/** All numbers that a rule lets a player choose from. */
export const poolOf = (rule: SelectionRule): string[] => [
  ...new Set(partsOfRule(rule).flatMap(({ pool }) => pool)),
];
