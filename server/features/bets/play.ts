import type { OutcomeOdds } from '#contract/play-ways.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import { findResultHandler } from '../result-handlers/registry.ts';
import { type ResultHandler, type Units, Unreadable } from '../result-handlers/result-handler.ts';
import {
  type ReadableLatitude,
  type ResultReader,
  resultReader,
  type ValuesReader,
  valuesReader,
} from '../result-handlers/winning-numbers.ts';
import { type DrawSpace, drawSpace } from './draw-space.ts';
import type { Judging } from './judge.ts';
import { oddsIn } from './payout.ts';

/** A row of odds: a number of the game, or the name of an outcome. Odds are exact decimals as text. */
export interface OddsRow {
  readonly number: string;
  readonly odds: string;
}

/** The rows that pay: outcomes by their names, or numbers. */
export const rowsOf = (
  { oddsFrom, outcomes }: { readonly oddsFrom: OddsFrom; readonly outcomes: readonly OutcomeOdds[] },
  numbers: readonly OddsRow[],
): readonly OddsRow[] =>
  oddsFrom === 'OUTCOME' ? outcomes.map(({ name, odds }) => ({ number: name, odds })) : numbers;

/** All that decides what a bet on a play way becomes. */
export interface PlayRules {
  readonly latitude: ReadableLatitude;
  /** Null for single numbers. */
  readonly selection: SelectionRule | null;
  readonly oddsFrom: OddsFrom;
  /** Rows of numbers, or where `oddsFrom` is OUTCOME rows of outcomes. */
  readonly rows: readonly OddsRow[];
  /** Null where nobody said what a result of the game is. */
  readonly resultRule: ResultRule | null;
}

/** A play way made ready for many bets and draws. */
export interface Play extends Judging {
  readonly rules: PlayRules;
  readonly handler: ResultHandler;
  readonly options: unknown;
  readonly units: Units | null;
  /** The names that rows of outcomes have; null where a unit is only won or lost. */
  readonly outcomes: readonly string[] | null;
  readonly read: ResultReader;
  /** Reads values that are already those of the latitude's positions. */
  readonly readValues: ValuesReader;
  readonly space: DrawSpace | undefined;
  /** The odds of a row as `judge` names it. */
  oddsOf(row: string): string | undefined;
}

/** Makes a play way ready. Throws `Unreadable` (a Chinese sentence) for a latitude that reads nothing. */
export function playOf(rules: PlayRules): Play {
  const { latitude, selection: rule, oddsFrom, rows, resultRule } = rules;
  const handler = findResultHandler(latitude.resultHandlerName);
  if (!handler) throw new Unreadable(`没有名为 ${latitude.resultHandlerName} 的结果处理器`);
  const options: unknown = latitude.handlerOptions ? JSON.parse(latitude.handlerOptions) : {};
  const oddsOf = oddsIn(rows);
  const units = handler.units(options);
  return {
    ...{ rules, rule, handler, options, oddsOf, units },
    outcomes: units?.outcomes ?? null,
    read: resultReader(latitude),
    readValues: valuesReader(latitude),
    space:
      resultRule && resultRule.parts.length > 0 ? drawSpace(resultRule, latitude.resultIndex) : undefined,
    lowest: oddsFrom === 'LOWEST' ? (number) => oddsOf(number) ?? '0' : undefined,
  };
}
