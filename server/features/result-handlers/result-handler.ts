import { z } from 'zod';
import type { SelectionKind } from '#contract/selections.ts';

/** The values at a latitude's positions, as they were drawn, and the day of the draw in the platform's zone. */
export interface Drawn {
  readonly values: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

/** What became of a bet on a number: a push gives the stake back. */
export type Outcome = 'WIN' | 'LOSE' | 'PUSH';

/** Which of a game's numbers win and which are given back; all others lose. */
export interface Reading {
  readonly winners: readonly string[];
  readonly pushes: readonly string[];
  /** For numbers that are combinations (`1,2,3`), too many to list: whether one of these parts wins. */
  readonly wins?: (parts: readonly string[]) => boolean;
}

/** How a unit of several numbers is judged by how many of it were drawn. */
export interface Units {
  /** How many of the positions belong to each group, one after the other; all to one group where absent. */
  readonly groups?: readonly number[];
  /** What counts as a hit: every position that shows a number of the unit, or every number of it that was drawn. */
  readonly counts: 'POSITIONS' | 'NUMBERS';
  /** What a drawn value stands for among the numbers that can be bet on, for comparing: its animal, its tail or itself. */
  member(value: string, date: string): string;
  /** A number that can be bet on, for comparing with `member`. */
  named(number: string): string;
  /** What is looked at instead of the values that were drawn: their sum. */
  seen?(values: readonly string[]): readonly string[];
  /** Whether some draws give every unit back. */
  readonly mayPush?: boolean;
  /** What can be won; null where a unit is only won or lost. */
  readonly outcomes: readonly string[] | null;
  /** What a unit of so many numbers wins with these hits in each group: one of `outcomes`, or `WON`. */
  row(hits: readonly number[], chosen: number, positions: number): string | undefined;
}

/** What is won where a unit is only won or lost. */
export const WON = '';

/**
 * A unit is won when as much of it was drawn as could be: all its numbers (任选二), or all that were drawn where it has more numbers
 * (任选八), or one of several animals where a single ball is looked at (合肖).
 */
export const allThatCouldBe: Pick<Units, 'outcomes' | 'row'> = {
  outcomes: null,
  row: ([hits = 0], chosen, positions) => (hits === Math.min(chosen, positions) ? WON : undefined),
};

/** A result that a handler cannot read; its message is a Chinese sentence. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** How a result handler looks from outside, its options not yet known. */
export interface ResultHandler {
  /** As in a latitude's `resultHandlerName`. */
  readonly name: string;
  /**
   * Rises with every change of what it says of a draw. A bet keeps the version it was placed at and is judged by no other, so that one
   * that is still needed stays in the registry, among the former ones.
   */
  readonly version: number;
  readonly title: string;
  /** What it does and which options it takes, for operators. */
  readonly sentence: string;
  /** How many positions it wants at least and at most. */
  readonly positions: readonly [min: number, max: number];
  readonly options: z.ZodObject;
  /** The kinds of selections that it can judge. */
  readonly judges: readonly SelectionKind[];
  /** Whether all that it reads of the positions is their sum, so that the sum as a single value reads the same. */
  bySum(options: unknown): boolean;
  /** How it judges units of several numbers; null where it does not. Throws ZodError for wrong options. */
  units(options: unknown): Units | null;
  /**
   * A set of numbers of which exactly one wins, by which a house's margin can be told: its words, or `numbers` where winners
   * are numbers of the game. Null where several win at once, or possibly none.
   */
  exactlyOne(options: unknown): readonly string[] | 'numbers' | null;
  /** Of numbers that win while others are given back, those others. */
  givenBackWith(options: unknown): ReadonlyMap<string, readonly string[]>;
  /** Checks options (throws ZodError) and gives the reading of results under them. */
  prepare(options: unknown): (drawn: Drawn) => Reading;
}

interface Definition<S extends z.ZodObject>
  extends Omit<
    ResultHandler,
    'options' | 'prepare' | 'exactlyOne' | 'givenBackWith' | 'judges' | 'bySum' | 'units'
  > {
  readonly options: S;
  /** SINGLE only where absent. */
  readonly judges?: readonly SelectionKind[];
  readonly bySum?: (options: z.output<S>) => boolean;
  readonly units?: (options: z.output<S>) => Units;
  readonly exactlyOne?: (options: z.output<S>) => readonly string[] | 'numbers' | null;
  /** Where absent, no draw both pays a number and gives another back. */
  readonly givenBackWith?: (options: z.output<S>) => ReadonlyMap<string, readonly string[]>;
  read(drawn: Drawn, options: z.output<S>): Reading;
}

/** Defines a handler: pure, told apart from others by its name only. */
export const resultHandler = <S extends z.ZodObject>({
  read,
  exactlyOne,
  givenBackWith,
  judges = ['SINGLE'],
  bySum,
  units,
  ...rest
}: Definition<S>): ResultHandler => ({
  ...rest,
  judges,
  bySum: (raw) => bySum?.(rest.options.parse(raw)) ?? false,
  units: (raw) => units?.(rest.options.parse(raw)) ?? null,
  exactlyOne: (raw) => exactlyOne?.(rest.options.parse(raw)) ?? null,
  givenBackWith: (raw) => givenBackWith?.(rest.options.parse(raw)) ?? new Map(),
  prepare: (raw) => {
    const options = rest.options.parse(raw);
    return (drawn) => read(drawn, options);
  },
});

/** For handlers without options: those given are a mistake. */
export const noOptions = z.strictObject({});

const wholeNumber = z.int('须为整数').min(0, '不能小于 0').max(100_000, '过大');

/** The least value that counts as big. */
export const bigFrom = (usual: number) => wholeNumber.default(usual).meta({ title: '“大”的起点' });
/** Values whose bets are given back. */
export const pushed = z
  .array(wholeNumber, '须为数字列表')
  .max(100, '过多')
  .default([])
  .meta({ title: '和局退本金的号码' });
/** What of a value is looked at: itself, its last digit, or the sum of its digits (合数). */
export const measure = z
  .enum(['value', 'tail', 'digitSum'], '须为 value、tail 或 digitSum')
  .default('value')
  .meta({ title: '比较的内容', choices: { value: '号码', tail: '尾数', digitSum: '合数' } });

/** A value as a number; the result is unreadable when it is none. */
export function numberOf(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new Unreadable(`结果“${value}”不是数字`);
  return Number(value);
}

export const sumOf = ({ values }: Drawn): number => values.reduce((sum, value) => sum + numberOf(value), 0);

const digitsOf = (value: number): number[] => [...String(value)].map(Number);

/** A value seen by a measure. */
export function measured(value: number, by: z.output<typeof measure>): number {
  if (by === 'tail') return value % 10;
  return by === 'digitSum' ? digitsOf(value).reduce((sum, digit) => sum + digit, 0) : value;
}

/** Whether three equal values (豹子) make both sides of a sum lose. */
export const tripleLoses = z
  .boolean('须为 true 或 false')
  .default(false)
  .meta({ title: '三个号码相同时不中' });
const isTriple = ({ values: [first, ...others] }: Drawn): boolean =>
  others.length === 2 && others.every((other) => canonical(other) === canonical(first ?? ''));
/** The reading of a triple where it loses. */
export const lostTriple = (drawn: Drawn, loses: boolean): Reading | undefined =>
  loses && isTriple(drawn) ? { winners: [], pushes: [] } : undefined;

/** The reading of one of a few words: it wins, or all of them are given back. */
export const wordReading = (word: string, all: readonly string[], isPush: boolean): Reading =>
  isPush ? { winners: [], pushes: all } : { winners: [word], pushes: [] };

/** A number or value for comparing: `01` and `1` are the same. */
export const canonical = (number: string): string =>
  /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number;

/** The parts of a number that is a combination (`1,2,3`, `1-2`), each for comparing; of any other its one part. */
export const partsOf = (number: string): string[] => number.split(/[,\-\s、]+/).map(canonical);
