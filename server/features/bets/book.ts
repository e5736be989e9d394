import { createHash } from 'node:crypto';
import type { ResultRule } from '#contract/result-rules.ts';
import { betNumber } from '../result-handlers/winning-numbers.ts';
import { drawSpace, sizeOf } from './draw-space.ts';
import type { Play } from './play.ts';

/** At most so many numbers are added up one by one, and so many draws looked at one by one. */
export const MOST_CELLS = 1_000;

/** How what was bet on a play way adds up to what the house can lose by it. */
export interface Book {
  /** Whether numbers are added up one by one; otherwise lines are, by the most that each can be paid. */
  readonly hasCells: boolean;
  /** The same for rules that read a draw alike, of which at most one number wins; null where several may win at once. */
  readonly name: string | null;
  /** Whether the game has so few draws that each can be looked at. */
  readonly fewDraws: boolean;
  /** Whether some draw gives stakes back. */
  readonly mayPush: boolean;
}

type Options = Readonly<Record<string, unknown>>;

const mayPush = ({ push, tie }: Options): boolean =>
  (Array.isArray(push) && push.length > 0) || tie === 'PUSH';

/** Of numbers of which exactly one wins where triples do not lose at most one wins where they do. */
function atMostOne({ handler, rules }: Play, options: Options): boolean {
  const usual = 'tripleLoses' in options ? { ...options, tripleLoses: false } : options;
  const plain = new Set(rules.rows.map(({ number }) => betNumber(number).plain));
  return handler.exactlyOne(usual) !== null && plain.size === rules.rows.length;
}

/** Whether a game has at most a thousand draws. */
function isFew(rule: ResultRule | null): boolean {
  const space = rule && rule.parts.length > 0 ? drawSpace(rule, '*') : undefined;
  return space !== undefined && sizeOf(space) <= BigInt(MOST_CELLS);
}

/** Tells how bets on a play way add up. */
export function bookOf(play: Play): Book {
  const { rule, handler, rules, units } = play;
  const options: Options = handler.options.parse(play.options);
  const hasCells = rule === null && rules.rows.length <= MOST_CELLS;
  const read = JSON.stringify([handler.name, handler.version, options, rules.latitude.resultIndex]);
  return {
    hasCells,
    name:
      hasCells && atMostOne(play, options)
        ? createHash('sha256').update(read).digest('base64url').slice(0, 16)
        : null,
    fewDraws: isFew(rules.resultRule),
    mayPush: mayPush(options) || (units?.mayPush ?? false),
  };
}
