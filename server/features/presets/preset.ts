import type { TimeRange } from '../draw-plans/bet-time-ranges.ts';

/** Numbers that share odds (exact decimals as text, stake included). */
export type PresetOdds = readonly [numbers: readonly string[], odds: string];

export interface PresetLatitude {
  readonly name: string;
  readonly resultIndex: string;
  readonly resultHandlerName: string;
  readonly handlerOptions?: object;
}

export interface PresetPlayWay {
  readonly name: string;
  /** What the betting page shows; the odds themselves when all numbers have the same. */
  readonly showRate?: string;
  readonly latitude: PresetLatitude;
  readonly odds: readonly PresetOdds[];
}

export interface PresetSubCategory {
  readonly name: string;
  readonly countOfRows: number;
  readonly playWays: readonly PresetPlayWay[];
}

export interface PresetCategory {
  readonly name: string;
  readonly subCategories: readonly PresetSubCategory[];
}

/** A whole game, ready to be put in: its numbers and latitudes are those that its play ways use. */
export interface Preset {
  /** How calls name it. */
  readonly key: string;
  readonly name: string;
  /** The game category it is filed under; made when there is none of that name. */
  readonly gameCategory: string;
  /** The icon of that category when it is made. */
  readonly categoryIcon: string;
  readonly openRate: number;
  readonly stopBetSecond: number;
  readonly phaseRule: 'RUNNING' | 'DAILY' | 'YEARLY';
  /** Digits of the serial in a DAILY or YEARLY phase; three unless told otherwise. */
  readonly serialDigits?: number;
  readonly timeRanges: readonly TimeRange[];
  readonly introduce: string;
  /** `today` is `YYYY-MM-DD`, for odds that depend on the lunar year. */
  readonly categories: (today: string) => readonly PresetCategory[];
}

/** The whole numbers from one to another as text, filled with zeros to `width`. */
export const numbersFrom = (from: number, to: number, width = 1): string[] =>
  Array.from({ length: to - from + 1 }, (_, step) => String(from + step).padStart(width, '0'));

/** All ways to choose `size` of these in their order, as combination numbers: `1,2`. */
export function combinations(of: readonly string[], size: number): string[] {
  if (size === 0) return [''];
  return of.flatMap((first, place) =>
    combinations(of.slice(place + 1), size - 1).map((rest) => (rest ? `${first},${rest}` : first)),
  );
}

/** All combinations of a number twice with another one: `1,1,2`. */
export const pairsWithOne = (of: readonly string[]): string[] =>
  of.flatMap((pair) => of.filter((one) => one !== pair).map((one) => `${pair},${pair},${one}`));

/** All ways to draw `size` of these in order, each as often as it likes: `1,1`, `1,2`, `2,1`. */
export function sequences(of: readonly string[], size: number): string[] {
  if (size === 1) return [...of];
  return of.flatMap((first) => sequences(of, size - 1).map((rest) => `${first},${rest}`));
}

/** A play way that is read by a latitude of its own, of the same name. */
export const playWay = (
  name: string,
  resultIndex: string,
  resultHandlerName: string,
  odds: readonly PresetOdds[],
  handlerOptions?: object,
): PresetPlayWay => ({
  name,
  latitude: { name, resultIndex, resultHandlerName, ...(handlerOptions ? { handlerOptions } : {}) },
  odds,
  ...(odds.length === 1 ? { showRate: odds[0]?.[1] ?? '' } : {}),
});

export const subCategory = (
  name: string,
  countOfRows: number,
  ...playWays: PresetPlayWay[]
): PresetSubCategory => ({ name, countOfRows, playWays });

const pushed = (push: readonly number[]) => (push.length > 0 ? { push } : undefined);

/** 大小 and 单双 of one position at the same odds. */
export const sidesOf = (
  place: string,
  resultIndex: string,
  odds: string,
  { from, push = [] }: { from: number; push?: readonly number[] },
): PresetPlayWay[] => [
  playWay(`${place}大小`, resultIndex, 'BigSmallHandler', [[['大', '小'], odds]], { from, ...pushed(push) }),
  playWay(`${place}单双`, resultIndex, 'OddEvenHandler', [[['单', '双'], odds]], pushed(push)),
];

/** Odds by distance from both ends of a range: the first and last number have the first odds, and so on inwards. */
export const mirrored = (numbers: readonly string[], odds: readonly string[]): PresetOdds[] =>
  odds.map((each, step) => [
    [...new Set([numbers[step] ?? '', numbers[numbers.length - 1 - step] ?? ''])],
    each,
  ]);
