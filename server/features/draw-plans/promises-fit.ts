import { sql } from 'kysely';
import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { type DrawRules, drawMistake } from './draw-rules.ts';

interface Promised {
  phase: string;
  rules: DrawRules;
  resultRule: ResultRule | null;
}

function demandFit(promised: readonly Promised[], field?: string): void {
  for (const { phase, rules, resultRule } of promised) {
    const why = drawMistake(rules, resultRule);
    if (why) throw new Refusal('promiseUnfit', { ...(field && { field }), values: { phase, why } });
  }
}

/**
 * What can be bet on, now or later, is drawn by what was promised for it, whatever the game draws by since: that must be as the game's
 * rule says, by which odds are judged. Throws `promiseUnfit`, of the field that changes the rule. To be called with the game's row locked.
 */
export async function demandPromisesFit(db: Db, gameId: number, field: string): Promise<void> {
  const { rows } = await sql<Promised>`
    select c.phase, c.rules, g."resultRule" from game g join draw_plan p on p."gameId" = g.id
      join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
    where g.id = ${gameId} and p.status = 'WAITTING' and p.commitment is not null order by p."startTime"`.execute(
    db,
  );
  demandFit(rows, field);
}

/**
 * The same of phases that can be bet on again: looking through all plans that wait, of all games, for each game that is planned
 * took longer the more games there are.
 */
export async function demandPhasesFit(db: Db, gameId: number, phases: readonly string[]): Promise<void> {
  if (phases.length === 0) return;
  const { rows } = await sql<Promised>`
    select c.phase, c.rules, g."resultRule" from game g join draw_commitment c on c."gameId" = g.id
    where g.id = ${gameId} and c.phase = any(${[...phases]}) order by c.phase`.execute(db);
  demandFit(rows);
}
