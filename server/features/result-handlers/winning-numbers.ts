import { findResultHandler } from './registry.ts';
import {
  type Drawn,
  type Outcome,
  partsOf,
  type Reading,
  type ResultHandler,
  Unreadable,
} from './result-handler.ts';

/** What of a bet latitude tells how to read a result. */
export interface ReadableLatitude {
  readonly resultIndex: string;
  readonly resultHandlerName: string;
  /** JSON text; absent for the handler's usual options. */
  readonly handlerOptions?: string | null | undefined;
}

/** A number that can be bet on, made ready for being compared with many draws. */
export interface BetNumber {
  readonly number: string;
  readonly plain: string;
  readonly parts: readonly string[];
}

export function betNumber(number: string): BetNumber {
  const parts = partsOf(number);
  return { number, plain: parts.join(','), parts };
}

/** What won under one latitude. */
export interface Winning {
  readonly drawn: Drawn;
  readonly reading: Reading;
  /** What becomes of a bet on a number of the game; `01` is `1`. */
  outcome(number: string): Outcome;
  /**
   * Of the numbers that can be bet on those that win and those whose stakes are given back, as `outcome` says; where no
   * numbers are known, the handler's own words for them.
   */
  among(numbers: readonly BetNumber[]): Pick<Reading, 'winners' | 'pushes'>;
}

/** The values of a result: `06,09,12+10`, `2 1 1` and `7|8|9` alike. */
export const valuesOf = (result: string): string[] => result.split(/[\s,，+|]+/).filter(Boolean);

/** The values at the positions (from 0) that `0,1,2` or `*` names. Throws `Unreadable` when the result is shorter. */
export function pick(resultIndex: string, result: string): string[] {
  const values = valuesOf(result);
  if (resultIndex === '*') return values;
  return resultIndex.split(',').map((index) => {
    const value = values[Number(index)];
    if (value === undefined) throw new Unreadable(`结果“${result}”没有位置 ${index}`);
    return value;
  });
}

const parsed = (options: string | null | undefined): unknown => (options ? JSON.parse(options) : {});

/** Tells what becomes of a bet, by one reading for many numbers. */
function outcomes({ winners, pushes, wins }: Reading): (number: BetNumber) => Outcome {
  const [winning, pushed] = [winners, pushes].map(
    (list) => new Set(list.map((each) => betNumber(each).plain)),
  );
  return ({ plain, parts }) => {
    if (pushed?.has(plain)) return 'PUSH';
    return winning?.has(plain) || wins?.(parts) ? 'WIN' : 'LOSE';
  };
}

const winningOf = (drawn: Drawn, reading: Reading): Winning => {
  const outcome = outcomes(reading);
  return {
    drawn,
    reading,
    outcome: (number) => outcome(betNumber(number)),
    among: (numbers) => {
      if (numbers.length === 0) return reading;
      const told = Map.groupBy(numbers, outcome);
      const those = (what: Outcome) => (told.get(what) ?? []).map(({ number }) => number);
      return { winners: those('WIN'), pushes: those('PUSH') };
    },
  };
};

/** What won in a draw of that result; `drawTime` is when it was planned, `YYYY-MM-DD HH:mm:ss` in the platform's zone. */
export type ResultReader = (result: string, drawTime: string) => Winning;
/** What won where a latitude's positions showed these values. */
export type ValuesReader = (drawn: Drawn) => Winning;

/** As `resultReader`, for values that are already those of the latitude's positions. */
export function valuesReader(
  latitude: ReadableLatitude,
  handler = findResultHandler(latitude.resultHandlerName),
): ValuesReader {
  if (!handler) throw new Unreadable(`没有名为 ${latitude.resultHandlerName} 的结果处理器`);
  const read = handler.prepare(parsed(latitude.handlerOptions));
  const [min, max] = handler.positions;
  return (drawn) => {
    if (drawn.values.length < min || drawn.values.length > max)
      throw new Unreadable(`${handler.title}不能用于 ${drawn.values.length} 个位置`);
    return winningOf(drawn, read(drawn));
  };
}

/**
 * Makes a latitude ready for reading many results. Pure. It, and what it gives, throw `Unreadable` (a Chinese sentence) for what
 * cannot be read.
 */
export function resultReader(latitude: ReadableLatitude, handler?: ResultHandler): ResultReader {
  const read = valuesReader(latitude, handler);
  return (result, drawTime) =>
    read({ values: pick(latitude.resultIndex, result), date: drawTime.slice(0, 10) });
}

/** Tells what won in one draw, as the latitude's handler says it or the given version of it: see `resultReader`. */
export const winningNumbers = (
  latitude: ReadableLatitude,
  result: string,
  drawTime: string,
  handler?: ResultHandler,
): Winning => resultReader(latitude, handler)(result, drawTime);
