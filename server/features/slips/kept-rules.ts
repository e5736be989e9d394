import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { bookOf } from '../bets/book.ts';
import { capsOf } from '../bets/caps-of.ts';
import { readLine } from '../bets/line.ts';
import { type Caps, lineRulesOf } from '../bets/line-rules.ts';
import type { ReadLine } from './wanted-lines.ts';

/** What is kept of a play way for whoever bets on it as it is now: names, rules with the odds of all its rows, and how lines add up. */
export function contentOf({ playWay, play, selection }: ReadLine) {
  const { id, name, categoryName, subCategoryName, latitude, odds, limits } = playWay;
  const rows = odds.map((row) => ({ number: row.number, odds: row.odds }));
  const caps = capsOf(limits);
  const kept = lineRulesOf(play, readLine(play, selection).selection, latitude);
  const rules = { ...kept, odds: rows, ...(caps && { caps }) };
  return { id, name, categoryName, subCategoryName, rules, book: bookOf(play) };
}

const leastOf = ({ unit, line }: Caps = {}): string | null =>
  unit !== undefined && line !== undefined ? Decimal.min(unit, line).toFixed() : (unit ?? line ?? null);

const known = new WeakMap<ReadLine['play'], number>();

/**
 * The ids under which the rules of these lines are kept. Rules are kept by content, once, before the slip that goes by them: rules
 * that no slip goes by do no harm.
 */
export async function keepRules(db: Db, lines: readonly ReadLine[]): Promise<number[]> {
  const fresh = new Map(lines.filter(({ play }) => !known.has(play)).map((line) => [line.play, line]));
  for (const line of fresh.values()) known.set(line.play, await keep(db, line));
  return lines.map(({ play }) => {
    const id = known.get(play);
    if (id === undefined) throw new Error('the rules of a line were not kept');
    return id;
  });
}

async function keep(db: Db, line: ReadLine): Promise<number> {
  const content = contentOf(line);
  const { id, name, categoryName, subCategoryName, rules, book } = content;
  const hash = createHash('sha256').update(JSON.stringify(content)).digest();
  await sql`
    insert into slip_rules (hash, "playWayId", "playWayName", "categoryName", "subCategoryName", rules, "cellSeparator", book, "mayPush",
      "lineCap", "fewDraws")
    values (${hash}, ${id}, ${name}, ${categoryName}, ${subCategoryName}, ${JSON.stringify(rules)}::jsonb,
      ${book.hasCells ? rules.separator : null}, ${book.name}, ${book.mayPush}, ${leastOf(rules.caps)}::numeric, ${book.fewDraws})
    on conflict (hash) do nothing`.execute(db);
  const row = await db
    .selectFrom('slip_rules')
    .select('id')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return row.id;
}
