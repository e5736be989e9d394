import type { ResultRule } from '#contract/result-rules.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { TimeRange } from '../draw-plans/bet-time-ranges.ts';

/** Numbers, or outcomes, that share odds (exact decimals as text, stake included). */
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
  /** What a player chooses; single numbers where absent. */
  readonly selection?: SelectionRule;
  /** By number where absent. */
  readonly oddsFrom?: OddsFrom;
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
  readonly resultRule: ResultRule;
  /** `today` is `YYYY-MM-DD`, for odds that depend on the lunar year. */
  readonly categories: (today: string) => readonly PresetCategory[];
}

/** The whole numbers from one to another as text, filled with zeros to `width`. */
export const numbersFrom = (from: number, to: number, width = 1): string[] =>
  Array.from({ length: to - from + 1 }, (_, step) => String(from + step).padStart(width, '0'));

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

/** Odds by what is won, or the odds of a play way that is only won or lost. */
type Prizes = string | Readonly<Record<string, string>>;
const prizeRows = (name: string, odds: Prizes): PresetOdds[] =>
  typeof odds === 'string' ? [[[name], odds]] : Object.entries(odds).map(([prize, each]) => [[prize], each]);

/** A play way of several numbers, read by a latitude of its own. */
export const selected = (
  name: string,
  resultIndex: string,
  resultHandlerName: string,
  { selection, odds, options }: { selection: SelectionRule; odds: Prizes; options?: object },
): PresetPlayWay => ({
  ...playWay(name, resultIndex, resultHandlerName, prizeRows(name, odds), options),
  ...{ selection, oddsFrom: 'OUTCOME' },
});

/** One whose odds are the lowest of its numbers. */
export const lowest = (
  name: string,
  resultIndex: string,
  resultHandlerName: string,
  { choose, odds }: { choose: number; odds: readonly PresetOdds[] },
): PresetPlayWay => ({
  ...playWay(name, resultIndex, resultHandlerName, odds),
  ...{
    selection: anyOf(
      odds.flatMap(([numbers]) => [...numbers]),
      choose,
    ),
    oddsFrom: 'LOWEST',
  },
});

/** Any so many of these. */
export const anyOf = (of: readonly string[], choose: number): SelectionRule => ({
  ...{ kind: 'COMBINATION', choose, of: [...of] },
});

/** A number for each place. */
export const inPlaces = (of: readonly string[], places: number, distinct = false): SelectionRule => ({
  ...{ kind: 'PLACES', places, of: [...of] },
  ...(distinct ? { distinct } : {}),
});

/** Numbers that come so many times each, such as `[2, 1], [1, 2]`: one twice and two once. */
export const grouped = (
  of: readonly string[],
  ...parts: [repeat: number, choose: number][]
): SelectionRule => ({
  ...{ kind: 'GROUP', of: [...of], parts: parts.map(([repeat, choose]) => ({ repeat, choose })) },
});

/** The same, chosen from one set of numbers. */
export const sharedGroup = (
  of: readonly string[],
  ...parts: [repeat: number, choose: number][]
): SelectionRule => ({
  ...{
    kind: 'GROUP',
    of: [...of],
    parts: parts.map(([repeat, choose]) => ({ repeat, choose })),
    shared: true,
  },
});

/** Numbers drawn from one pool. */
export const drawnFrom = (
  of: readonly string[],
  count: number,
  { repeat = false, ordered = true } = {},
): ResultRule['parts'][number] => ({ ...{ count, of: [...of] }, ...{ repeat, ordered } });

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
