import { z } from 'zod';
import { oddsFrom, SelectionRule } from '#contract/selections.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { rowsOfLine } from './line.ts';
import type { Play } from './play.ts';
import type { Selection } from './selection.ts';
import { between } from './selection-text.ts';

const oddsRow = z.object({ number: z.string(), odds: z.string().regex(/^\d+(\.\d+)?$/) });

const amount = z.string().regex(/^\d+(\.\d+)?$/);
/** The most that something is paid together with whatever else has the same scope. */
const shared = z.strictObject({ most: amount, scope: z.string() });
/** What cuts payouts, from small to large: of a unit, a line, a slip, and of a player's slips of a phase. What is absent cuts nothing. */
export const Caps = z.strictObject({
  unit: amount.optional(),
  line: amount.optional(),
  slip: shared.optional(),
  user: shared.optional(),
});
export type Caps = z.infer<typeof Caps>;

/**
 * All that decides what a line becomes, as plain JSON: a slip keeps it, and whatever is edited or deleted afterwards says nothing about
 * it. `odds` are the rows that decide this line: of its numbers, or where `oddsFrom` is OUTCOME of all outcomes.
 */
export const LineRules = z.strictObject({
  handler: z.string(),
  /** The handler's: another version does not judge the line. */
  version: z.int(),
  /** The handler's options, those that were left out filled in. */
  options: z.record(z.string(), z.unknown()),
  latitude: z.strictObject({ id: z.int(), name: z.string(), resultIndex: z.string() }),
  selection: SelectionRule.nullable(),
  /** What stands between single numbers in the line's text. */
  separator: z.enum([',', ';']),
  oddsFrom,
  odds: z.array(oddsRow).min(1),
  /** Absent where nothing is capped. */
  caps: Caps.optional(),
});
export type LineRules = z.infer<typeof LineRules>;

/** The copy of a play way's rules for one line. Throws `BadSelection` where a row of odds is missing. */
export function lineRulesOf(
  play: Play,
  selection: Selection,
  { id, name }: { readonly id: number; readonly name: string },
): LineRules {
  const { handler, options, rule, rules } = play;
  return {
    handler: handler.name,
    version: handler.version,
    options: handler.options.parse(options),
    latitude: { id, name, resultIndex: rules.latitude.resultIndex },
    selection: rule,
    separator: between(rules.rows.map(({ number }) => number)),
    oddsFrom: rules.oddsFrom,
    odds: rowsOfLine(play, selection).map(({ number, odds }) => ({ number, odds })),
  };
}

/** A copy of rules as it comes from where it is kept. Throws `Unreadable` for one that is broken. */
export function readLineRules(kept: unknown): LineRules {
  const { data, error } = LineRules.safeParse(kept);
  if (data) return data;
  throw new Unreadable(`注单的规则有误：${error.issues[0]?.path.join('.')}`);
}
