import { type RawBuilder, sql } from 'kysely';

/**
 * Whether bets may be placed on a row of `draw_plan` at a moment: from its beginning until it closes, and where its game draws
 * by itself only once the draw is promised. So nobody who bets can be met by a result that was chosen afterwards; after an
 * outage betting opens late instead. When a game comes to draw by itself in the middle of a phase, betting on that one ends: it is never
 * promised. Nor may anybody bet once the public value is out that the draw was promised to wait for, should its plan have been moved.
 * When it ceases to, a phase that is promised goes on, and one that is not becomes one of a collected game.
 */
export const takesBets = (now: Date | RawBuilder<Date>): RawBuilder<boolean> => sql<boolean>`
  status = 'WAITTING' and "startTime" <= ${now}::timestamptz and (
    select ${now}::timestamptz < c.closes
    from game g, closing_of(g.id, draw_plan.phase, g."stopBetSecond", draw_plan."startTime", draw_plan."endTime") as c
    where g.id = draw_plan."gameId")
  and (commitment is not null or not exists (
    select from local_game l where l."gameId" = draw_plan."gameId"))`;
