/* Ways to say what won in a draw, without any of the program's own rules. */

/** The numbers of a play way that win and those whose stakes are given back; all others lose. */
export interface Facts {
  readonly wins: readonly string[];
  readonly pushes?: readonly string[];
}

export type FactsOfDraw = Record<string, Facts>;

export const won = (...wins: string[]): Facts => ({ wins });
export const given = (...pushes: string[]): Facts => ({ wins: [], pushes });
/** Added up on fingers. */
export const total = (numbers: readonly number[]): number =>
  numbers.flatMap((number) => Array(number).fill(1)).length;
export const within = (from: number, to: number, number: number): boolean =>
  Array.from({ length: to - from + 1 }, (_, step) => from + step).includes(number);
export const bigWithin = (from: number, to: number, number: number): Facts =>
  won(within(from, to, number) ? '大' : '小');
export const parityOf = (number: number): Facts =>
  won('13579'.includes(String(number).slice(-1)) ? '单' : '双');
export const duel = (first: number, second: number): Facts => {
  const [winner] = [first, second].toSorted((a, b) => b - a);
  return won(winner === first ? '龙' : '虎');
};
export const pairs = (numbers: readonly (number | string)[]): string[] =>
  numbers.flatMap((one, place) => numbers.slice(place + 1).map((other) => `${one},${other}`));
/** All ways to leave out some so that `size` stay, in their order. */
export const subsets = (numbers: readonly number[], size: number): string[] =>
  Array.from({ length: 2 ** numbers.length }, (_, mask) => numbers.filter((_each, bit) => (mask >> bit) & 1))
    .filter((chosen) => chosen.length === size)
    .map((chosen) => chosen.join(','));
/** 组选三 and 组选六 of three digits: told by how many are different. */
export function groups(digits: readonly number[]): { three: Facts; six: Facts } {
  const [low = 0, middle = 0, high = 0] = ascending(digits);
  const different = new Set(digits).size;
  const three = low === middle ? `${low},${low},${high}` : `${high},${high},${low}`;
  return {
    three: different === 2 ? won(three) : won(),
    six: different === 3 ? won(`${low},${middle},${high}`) : won(),
  };
}
export const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
export const named = (
  names: readonly string[],
  facts: (place: number) => Facts,
  suffix: string,
): FactsOfDraw => Object.fromEntries(names.map((name, place) => [`${name}${suffix}`, facts(place)]));
