import { findResultHandler } from './registry.ts';
import { canonical, type Drawn, type Outcome, type Reading, Unreadable } from './result-handler.ts';

/** What of a bet latitude tells how to read a result. */
export interface ReadableLatitude {
  readonly resultIndex: string;
  readonly resultHandlerName: string;
  /** JSON text; absent for the handler's usual options. */
  readonly handlerOptions?: string | null | undefined;
}

/** What won under one latitude. */
export interface Winning {
  /** The numbers that win, as far as they can be listed. */
  readonly winners: readonly string[];
  /** The numbers whose stakes are given back. */
  readonly pushes: readonly string[];
  /** What becomes of a bet on a number of the game; `01` is `1`. */
  outcome(number: string): Outcome;
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

function outcomeOf({ winners, pushes, wins }: Reading, number: string): Outcome {
  const same = (other: string) => canonical(other) === canonical(number);
  if (pushes.some(same)) return 'PUSH';
  return winners.some(same) || wins?.(number) ? 'WIN' : 'LOSE';
}

/**
 * Tells what won. `drawTime` is the draw's own time, `YYYY-MM-DD HH:mm:ss` in the platform's zone. Pure. Throws
 * `Unreadable` (a Chinese sentence) for a result that this latitude cannot read.
 */
export function winningNumbers(latitude: ReadableLatitude, result: string, drawTime: string): Winning {
  const handler = findResultHandler(latitude.resultHandlerName);
  if (!handler) throw new Unreadable(`没有名为 ${latitude.resultHandlerName} 的结果处理器`);
  const drawn: Drawn = { values: pick(latitude.resultIndex, result), date: drawTime.slice(0, 10) };
  const [min, max] = handler.positions;
  if (drawn.values.length < min || drawn.values.length > max)
    throw new Unreadable(`${handler.title}不能用于 ${drawn.values.length} 个位置`);
  const reading = handler.prepare(parsed(latitude.handlerOptions))(drawn);
  return { ...reading, outcome: (number) => outcomeOf(reading, number) };
}
