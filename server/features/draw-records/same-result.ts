import type { ResultRule } from '#contract/result-rules.ts';
import { valuesOf } from '../result-handlers/winning-numbers.ts';

const bare = (number: string): string => number.replace(/^0+(?=.)/, '');
const bareValues = (result: string): string[] => valuesOf(result).map(bare);

interface Part {
  readonly rule: ResultRule['parts'][number];
  readonly values: readonly string[];
}

/** The values of each part; nothing where there are not as many as there should be. */
function partsOf(values: readonly string[], { parts }: ResultRule): Part[] | undefined {
  let start = 0;
  const found = parts.map((rule) => {
    start += rule.count;
    return { rule, values: values.slice(start - rule.count, start) };
  });
  return start === values.length ? found : undefined;
}

/**
 * What all results that say the same have in common: the same numbers part by part, in any order where the order says nothing, zeros in
 * front and the signs between them aside.
 */
export function meaningOf(result: string, rule: ResultRule | null): string {
  const values = bareValues(result);
  const parts = rule ? partsOf(values, rule) : undefined;
  if (!parts) return values.join(',');
  return parts.flatMap((part) => (part.rule.ordered ? part.values : part.values.toSorted())).join(',');
}

/** Whether two results say the same. */
export const isSameResult = (one: string, other: string, rule: ResultRule | null): boolean =>
  meaningOf(one, rule) === meaningOf(other, rule);

function fitsPart({ rule: { of, repeat }, values }: Part): boolean {
  const pool = new Set(of.map(bare));
  return values.every((value) => pool.has(value)) && (repeat || new Set(values).size === values.length);
}

/** Whether a result can be one of its game: as many numbers as there should be, each from where it is drawn, none twice that cannot be. */
export function fitsRule(result: string, rule: ResultRule | null): boolean {
  return rule === null || (partsOf(bareValues(result), rule)?.every(fitsPart) ?? false);
}

/** A result in the game's own spelling of its numbers (`01` or `1`), where the game has such a number. */
export function inSpelling(result: string, gameNumbers: readonly string[]): string {
  const exact = new Set(gameNumbers);
  const byBare = new Map(gameNumbers.map((number) => [bare(number), number]));
  return result.replace(/[^\s,，+|]+/g, (number) =>
    exact.has(number) ? number : (byBare.get(bare(number)) ?? number),
  );
}
