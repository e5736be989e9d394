import { z } from 'zod';

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

/** A result that a handler cannot read; its message is a Chinese sentence. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** How a result handler looks from outside, its options not yet known. */
export interface ResultHandler {
  /** As in a latitude's `resultHandlerName`. */
  readonly name: string;
  readonly title: string;
  /** What it does and which options it takes, for operators. */
  readonly sentence: string;
  /** How many positions it wants at least and at most. */
  readonly positions: readonly [min: number, max: number];
  readonly options: z.ZodObject;
  /**
   * A set of numbers of which exactly one wins, by which a house's margin can be told: its words, or `numbers` where winners
   * are numbers of the game. Null where several win at once, or possibly none.
   */
  exactlyOne(options: unknown): readonly string[] | 'numbers' | null;
  /** Checks options (throws ZodError) and gives the reading of results under them. */
  prepare(options: unknown): (drawn: Drawn) => Reading;
}

interface Definition<S extends z.ZodObject>
  extends Omit<ResultHandler, 'options' | 'prepare' | 'exactlyOne'> {
  readonly options: S;
  readonly exactlyOne?: (options: z.output<S>) => readonly string[] | 'numbers';
  read(drawn: Drawn, options: z.output<S>): Reading;
}

/** Defines a handler: pure, told apart from others by its name only. */
export const resultHandler = <S extends z.ZodObject>({
  read,
  exactlyOne,
  ...rest
}: Definition<S>): ResultHandler => ({
  ...rest,
  exactlyOne: (raw) => exactlyOne?.(rest.options.parse(raw)) ?? null,
  prepare: (raw) => {
    const options = rest.options.parse(raw);
    return (drawn) => read(drawn, options);
  },
});

/** For handlers without options: those given are a mistake. */
export const noOptions = z.strictObject({});

const wholeNumber = z.int('须为整数').min(0, '不能小于 0').max(100_000, '过大');

/** The least value that counts as big. */
export const bigFrom = (usual: number) => wholeNumber.default(usual);
/** Values whose bets are given back. */
export const pushed = z.array(wholeNumber, '须为数字列表').max(100, '过多').default([]);
/** What of a value is looked at: itself, its last digit, or the sum of its digits (合数). */
export const measure = z.enum(['value', 'tail', 'digitSum'], '须为 value、tail 或 digitSum').default('value');

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

/** The reading of one of a few words: it wins, or all of them are given back. */
export const wordReading = (word: string, all: readonly string[], isPush: boolean): Reading =>
  isPush ? { winners: [], pushes: all } : { winners: [word], pushes: [] };

/** A number or value for comparing: `01` and `1` are the same. */
export const canonical = (number: string): string =>
  /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, '') : number;

/** The parts of a number that is a combination (`1,2,3`, `1-2`), each for comparing; of any other its one part. */
export const partsOf = (number: string): string[] => number.split(/[,\-\s、]+/).map(canonical);
