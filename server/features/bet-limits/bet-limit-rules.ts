import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import { addBetLimit } from '#contract/bet-limits.ts';
import type { Input } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { findPlayWay } from '../play-ways/play-way-store.ts';

type Said = Omit<Input<typeof addBetLimit>, 'reason'>;

/** All kinds of limits; what was not said is none, so that it is inherited. */
export const limitsOf = (said: Said) => ({
  minStake: said.minStake ?? null,
  maxStake: said.maxStake ?? null,
  maxLineStake: said.maxLineStake ?? null,
  maxUserStake: said.maxUserStake ?? null,
  maxNumberPayout: said.maxNumberPayout ?? null,
  maxLoss: said.maxLoss ?? null,
  payoutCapUnit: said.payoutCapUnit ?? null,
  payoutCapLine: said.payoutCapLine ?? null,
  payoutCapSlip: said.payoutCapSlip ?? null,
  payoutCapUser: said.payoutCapUser ?? null,
});

const greatest = ['maxStake', 'maxLineStake', 'maxUserStake'] as const;

/** Throws where nothing could be staked between the least and the greatest. */
export function demandRange({ minStake, ...said }: Said): void {
  const field = greatest.find(
    (each) => minStake !== undefined && new Decimal(minStake).greaterThan(said[each] ?? Infinity),
  );
  if (!field) return;
  const what = metaOf(addBetLimit.input.shape[field]).title ?? '';
  throw new Refusal('limitRangeEmpty', { field, values: { what } });
}

/** The game that limits are for: of a play way its own. Throws where the play way is not there, or of another game. */
export async function gameOfPlayWay(
  db: Db,
  playWayId: number | undefined,
  gameId: number | undefined,
): Promise<number | null> {
  if (playWayId === undefined) return gameId ?? null;
  const playWay = await findPlayWay(db, playWayId);
  if (!playWay) throw new Refusal('absent', { field: 'playWayId', values: { what: '玩法' } });
  if (gameId !== undefined && gameId !== playWay.gameId)
    throw new Refusal('limitPlayWayForeign', { field: 'playWayId' });
  return playWay.gameId;
}

/** Play ways on which nothing can be staked: what must be at least is more than what may be at most, whichever rows say so. */
async function playWaysShut(db: Db) {
  const { rows } = await sql<{ id: number; game: string; name: string }>`
    select p.id, g.name as game, p.name from play_way p join game g on g.id = p."gameId", lateral limits_of(g.id, p.id) as m
    where m."minStake" > least(m."maxStake", m."maxLineStake", m."maxUserStake") order by g.id, p.id`.execute(
    db,
  );
  return rows;
}

/** Changes limits so that no play way is shut by rows that each make sense. Throws `limitsShut`. */
export async function leavingRoom<T>(db: Db, change: () => Promise<T>): Promise<T> {
  const before = await playWaysShut(db);
  const done = await change();
  const shut = (await playWaysShut(db)).find(({ id }) => !before.some((each) => each.id === id));
  if (shut) throw new Refusal('limitsShut', { values: { game: shut.game, name: shut.name } });
  return done;
}
