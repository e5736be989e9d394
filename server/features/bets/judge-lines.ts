import { ZodError } from 'zod';
import { findHandlerVersion } from '../result-handlers/registry.ts';
import { type Units, Unreadable } from '../result-handlers/result-handler.ts';
import { type Winning, winningNumbers } from '../result-handlers/winning-numbers.ts';
import { judge } from './judge.ts';
import type { LineRules } from './line-rules.ts';
import { oddsIn, payoutOf, refundOf } from './payout.ts';
import { BadSelection, type Selection } from './selection.ts';
import { readSelection } from './selection-text.ts';
import { unitsOf } from './units.ts';

/** A result, and when its plan had it drawn (`YYYY-MM-DD HH:mm:ss` in the platform's zone): never the time that a source tells. */
export interface Draw {
  readonly result: string;
  readonly drawTime: string;
}

/** A line as a slip keeps it. */
export interface PlacedLine {
  readonly rules: LineRules;
  readonly selection: string;
  readonly unitStake: string;
}

/** What a draw makes of a line. Payout and refund are apart; each is exact and rounded down to four decimals once. */
export interface Judgement {
  readonly winningUnits: number;
  readonly pushedUnits: number;
  readonly payout: string;
  readonly refund: string;
  /** WON if any unit won, else PUSHED if every unit was given back, else LOST. */
  readonly status: 'WON' | 'PUSHED' | 'LOST';
}

interface Read {
  readonly winning: Winning;
  readonly units: Units | null;
}

function readDraw(
  { handler: name, version, options, latitude }: LineRules,
  { result, drawTime }: Draw,
): Read {
  const handler = findHandlerVersion(name, version);
  if (!handler) throw new Unreadable(`结果处理器 ${name} 第 ${version} 版已不存在`);
  const { resultIndex } = latitude;
  try {
    const readable = { resultIndex, resultHandlerName: name, handlerOptions: JSON.stringify(options) };
    return { winning: winningNumbers(readable, result, drawTime, handler), units: handler.units(options) };
  } catch (error) {
    if (error instanceof ZodError) throw new Unreadable('注单的处理器参数有误');
    throw error;
  }
}

function selectionOf({ rules: { selection, odds, separator }, selection: text }: PlacedLine): Selection {
  const rows = odds.map(({ number }) => number);
  try {
    return readSelection(text, selection, rows, separator);
  } catch (error) {
    if (error instanceof BadSelection) throw new Unreadable(`注单的选号有误：${error.message}`);
    throw error;
  }
}

function judged(line: PlacedLine, { winning, units }: Read): Judgement {
  const { selection: rule, oddsFrom, odds } = line.rules;
  const selection = selectionOf(line);
  const oddsOf = oddsIn(odds);
  const lowest = oddsFrom === 'LOWEST' ? (number: string) => oddsOf(number) ?? '0' : undefined;
  const told = judge(selection, { rule, units, lowest }, winning);
  const winningUnits = told.won.reduce((sum, each) => sum + each.units, 0);
  // Counting units may take longer than judging them: only where it says something.
  const isPushed = told.pushed > 0 && told.pushed === unitsOf(selection, rule);
  return {
    ...{ winningUnits, pushedUnits: told.pushed },
    payout: payoutOf(told, line.unitStake, oddsOf, line.rules.caps),
    refund: refundOf(told, line.unitStake),
    status: winningUnits > 0 ? 'WON' : isPushed ? 'PUSHED' : 'LOST',
  };
}

/**
 * Makes a draw ready for judging any number of lines. What it gives throws `Unreadable` (a Chinese sentence) for a line whose latitude
 * cannot read the result or whose rules are broken; other lines are judged all the same.
 */
export function judgeOfDraw(draw: Draw): (line: PlacedLine) => Judgement {
  // Lines of one latitude share what its handler makes of the draw.
  const known = new Map<string, Read>();
  return (line) => {
    const { handler, version, options, latitude } = line.rules;
    const key = JSON.stringify([handler, version, options, latitude.resultIndex]);
    const read = known.get(key) ?? readDraw(line.rules, draw);
    known.set(key, read);
    return judged(line, read);
  };
}
