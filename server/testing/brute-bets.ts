import type { ResultPart, ResultRule } from '#contract/result-rules.ts';
import type { SelectionRule } from '#contract/selections.ts';
import type { Chosen, Selection } from '#server/features/bets/selection.ts';

/*
 * Bets worked out by listing every draw and every unit, without any of the program's own arithmetic: what that says is compared with it.
 */

/** All ways to take `size` of these, in their order. */
export function subsetsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((first, place) =>
    subsetsOf(all.slice(place + 1), size - 1).map((rest) => [first, ...rest]),
  );
}

/** One of each list, in all ways. */
export function oneOfEach<T>(lists: readonly (readonly T[])[]): T[][] {
  const [first, ...rest] = lists;
  return first ? first.flatMap((one) => oneOfEach(rest).map((others) => [one, ...others])) : [[]];
}

function drawsOf({ count, of, repeat }: ResultPart): string[][] {
  const all = oneOfEach(Array.from({ length: count }, () => of));
  return repeat ? all : all.filter((drawn) => new Set(drawn).size === drawn.length);
}

/** Every draw of a game. */
export const everyResult = ({ parts }: ResultRule): string[][] =>
  oneOfEach(parts.map(drawsOf)).map((drawn) => drawn.flat());

const withBankers = ({ bankers, numbers }: Chosen, choose: number): string[][] =>
  subsetsOf([...bankers, ...numbers], choose).filter((unit) =>
    bankers.every((banker) => unit.includes(banker)),
  );

/** Every unit of a selection, part by part. */
export function everyUnit(selection: Selection, rule: SelectionRule): string[][][] {
  if (rule.kind === 'COMBINATION')
    return selection.flatMap((part) => withBankers(part, rule.choose)).map((unit) => [unit]);
  if (rule.kind === 'TICKET')
    return oneOfEach(selection.map((part, place) => withBankers(part, rule.parts[place]?.choose ?? 0)));
  if (rule.kind === 'PLACES') {
    const all = oneOfEach(selection.map(({ numbers }) => numbers.map((number) => [number])));
    return rule.distinct ? all.filter((unit) => new Set(unit.flat()).size === unit.length) : all;
  }
  const sets = rule.parts.map(({ choose }, part) =>
    subsetsOf((rule.shared ? selection[0] : selection[part])?.numbers ?? [], choose),
  );
  return oneOfEach(sets).filter((unit) => new Set(unit.flat()).size === unit.flat().length);
}

/** Whether a unit in order, part for part, is what was drawn. */
export const isInOrder = (unit: readonly string[][], drawn: readonly string[]): boolean =>
  unit.flat().join() === drawn.join();

/** Whether what a group wants is there: each number so often. Drawn numbers are crossed out one by one. */
export function isInBag(wanted: readonly string[], drawn: readonly string[]): boolean {
  const left = [...drawn];
  return wanted.every((number) => {
    const place = left.indexOf(number);
    if (place < 0) return false;
    left.splice(place, 1);
    return true;
  });
}

/** How many of these positions show a number of the unit. */
export const positionsHit = (unit: readonly string[], drawn: readonly string[]): number =>
  drawn.filter((value) => unit.includes(value)).length;

/** How many numbers of the unit were drawn. */
export const numbersHit = (unit: readonly string[], drawn: readonly string[]): number =>
  unit.filter((number) => drawn.includes(number)).length;
