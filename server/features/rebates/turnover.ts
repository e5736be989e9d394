import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { tenThousandths } from '../bets/decimal.ts';
import { keptTurnover, type Opposing, type SingleLine } from './opposing.ts';

/** A line that won or lost, and what its slip says of it. */
export interface CountedLine {
  readonly userId: number;
  readonly gameId: number;
  readonly phase: string;
  /** Epoch seconds at which the slip was placed. */
  readonly placed: number;
  readonly agents: readonly number[];
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
  /** Its stake less what was given back. */
  readonly turnover: string;
}

/** The columns of counted lines, of slips `s` and lines `l`. */
export const lineColumns = sql`
  s."userId", s."gameId", s.phase, extract(epoch from s."createTime")::float8 as placed,
  array(select (a.value ->> 'id')::bigint from jsonb_array_elements(s.agents) with ordinality as a (value, place) order by a.place) as agents,
  l."rulesId", l.selection, l."unitStake", l.stake - l.refund as turnover`;

/** The copy of rules that single numbers were bet by; null where a line chooses otherwise. */
interface SingleRules extends Pick<SingleLine, 'handler' | 'version' | 'options'> {
  readonly latitudeId: number;
  readonly separator: string;
  readonly odds: readonly { readonly number: string; readonly odds: string }[];
}

/** Rules by their ids, kept while many lines are counted, most of which share them. */
export type KnownRules = Map<number, SingleRules | null>;

async function learnRules(db: Db, lines: readonly CountedLine[], known: KnownRules): Promise<void> {
  const missing = [...new Set(lines.map(({ rulesId }) => rulesId))].filter((id) => !known.has(id));
  if (missing.length === 0) return;
  const { rows } = await sql<{ id: number; rules: SingleRules | null }>`
    select id, case when rules -> 'selection' = 'null' then jsonb_build_object('latitudeId', (rules #>> '{latitude,id}')::bigint,
      'handler', rules -> 'handler', 'version', rules -> 'version', 'options', rules -> 'options', 'separator', rules -> 'separator',
      'odds', rules -> 'odds') end as rules
    from slip_rules where id = any(${missing}::bigint[])`.execute(db);
  for (const { id, rules } of rows) known.set(id, rules);
}

function singleLine({ selection, unitStake, turnover }: CountedLine, rules: SingleRules): SingleLine {
  const { separator, odds, handler, version, options } = rules;
  const chosen = new Set(selection.split(separator));
  return {
    ...{ handler, version, options },
    numbers: odds.filter(({ number }) => chosen.has(number)),
    unitStake: tenThousandths(unitStake),
    turnover: tenThousandths(turnover),
  };
}

/**
 * What of every line counts, in their order: opposing lines of a player on one latitude and phase are left out. All such lines must be among
 * those given, in the order in which they were placed.
 */
export async function keptOf(
  db: Db,
  lines: readonly CountedLine[],
  mode: Opposing,
  known: KnownRules = new Map(),
): Promise<bigint[]> {
  await learnRules(db, lines, known);
  const kept = lines.map(({ turnover }) => tenThousandths(turnover));
  const singles = lines.flatMap((line, place) => {
    const rules = known.get(line.rulesId);
    if (!rules) return [];
    const { userId, gameId, phase } = line;
    return [
      { place, key: `${userId} ${gameId} ${rules.latitudeId} ${phase}`, line: singleLine(line, rules) },
    ];
  });
  for (const group of Map.groupBy(singles, ({ key }) => key).values()) {
    if (group.length === 1 && (group[0]?.line.numbers.length ?? 0) < 2) continue;
    const amounts = keptTurnover(
      group.map(({ line }) => line),
      mode,
    );
    for (const [index, amount] of amounts.entries()) {
      const place = group[index]?.place;
      if (place !== undefined) kept[place] = amount;
    }
  }
  return kept;
}
