import { sql } from 'kysely';
import type { OutcomeOdds } from '#contract/play-ways.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import type { PayoutCaps } from '../bets/caps-of.ts';

/** A row of odds as players see it. */
export interface OfferedOdds {
  readonly number: string;
  readonly odds: string;
  readonly stopped: boolean;
}

/** What counts for bets on a play way: of each kind the most specific that is set. */
export interface OfferedLimits extends PayoutCaps {
  readonly minStake: string | null;
  readonly maxStake: string | null;
  readonly maxLineStake: string | null;
}

/** A play way with all that decides a bet on it. */
export interface OfferedPlayWay {
  readonly id: number;
  readonly name: string;
  readonly categoryName: string;
  readonly subCategoryName: string;
  readonly stopped: boolean;
  readonly selection: SelectionRule | null;
  readonly oddsFrom: OddsFrom;
  readonly latitude: {
    readonly id: number;
    readonly name: string;
    readonly resultIndex: string;
    readonly resultHandlerName: string;
    readonly handlerOptions: string | null;
  };
  readonly odds: readonly OfferedOdds[];
  readonly limits: OfferedLimits;
}

/** What can be bet on in a game, as it was at a version. */
export interface Catalogue {
  readonly version: number;
  readonly resultRule: ResultRule | null;
  /** Whether limits are set that slips of a phase take together. */
  readonly limited: boolean;
  readonly playWays: readonly OfferedPlayWay[];
}

/** The version of what can be bet on in a game now; nothing where there is no such game. */
export async function catalogueVersion(db: Db, gameId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('game_catalogue')
    .select('version')
    .where('gameId', '=', gameId)
    .executeTakeFirst();
  return row?.version;
}

interface Stored extends Omit<OfferedPlayWay, 'odds'> {
  readonly outcomes: readonly OutcomeOdds[];
  readonly numbers: readonly OfferedOdds[];
}

const offered = ({ outcomes, numbers, ...playWay }: Stored): OfferedPlayWay => ({
  ...playWay,
  odds:
    playWay.oddsFrom === 'OUTCOME'
      ? outcomes.map(({ name, odds }) => ({ number: name, odds, stopped: false }))
      : numbers,
});

/** What can be bet on in a game now; its version is never younger than what it holds. Nothing where there is no such game. */
export async function readCatalogue(db: Db, gameId: number): Promise<Catalogue | undefined> {
  const version = await catalogueVersion(db, gameId);
  if (version === undefined) return undefined;
  const game = await db
    .selectFrom('game')
    .select(['resultRule', sql<boolean>`counts_limits(id)`.as('limited')])
    .where('id', '=', gameId)
    .executeTakeFirst();
  const { rows } = await sql<Stored>`
    select p.id, p.name, top.name as "categoryName", sub.name as "subCategoryName", p.stopped, p.selection, p."oddsFrom", p.outcomes,
      jsonb_build_object('id', l.id, 'name', l.name, 'resultIndex', l."resultIndex", 'resultHandlerName', l."resultHandlerName",
        'handlerOptions', l."handlerOptions") as latitude,
      coalesce((select jsonb_agg(jsonb_build_object('number', n.number, 'odds', o.odds::text, 'stopped', o.stopped) order by o.id)
        from odds o join game_number n on n.id = o."numberId" where o."playWayId" = p.id), '[]') as numbers,
      jsonb_build_object('minStake', m."minStake"::text, 'maxStake', m."maxStake"::text, 'maxLineStake', m."maxLineStake"::text,
        'payoutCapUnit', m."payoutCapUnit"::text, 'payoutCapLine', m."payoutCapLine"::text, 'payoutCapSlip', m."payoutCapSlip"::text,
        'slipScope', m."slipScope", 'payoutCapUser', m."payoutCapUser"::text, 'payScope', m."payScope") as limits
    from play_way p join play_way_category sub on sub.id = p."subCategoryId"
      join play_way_category top on top.id = coalesce(sub."parentCategoryId", sub.id)
      join bet_latitude l on l.id = p."betLatitudeId", lateral limits_of(p."gameId", p.id) as m
    where p."gameId" = ${gameId} order by p.id`.execute(db);
  return {
    ...{ version, resultRule: game?.resultRule ?? null, limited: game?.limited ?? false },
    playWays: rows.map(offered),
  };
}
