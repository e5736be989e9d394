import { type RawBuilder, sql } from 'kysely';

/**
 * Whether bets may be placed on a row of `draw_plan` at a moment: from its beginning until it closes, and where its game draws
 * by itself only once the draw is promised. So nobody who bets can be met by a result that was chosen afterwards; after an
 * outage betting opens late instead.
 */
export const takesBets = (now: Date): RawBuilder<boolean> => sql<boolean>`
  status = 'WAITTING' and "startTime" <= ${now}::timestamptz and (
    select ${now}::timestamptz < "endTime" - g."stopBetSecond" * interval '1 second' from game g where g.id = "gameId")
  and (commitment is not null or not exists (
    select from spider s where s."gameId" = draw_plan."gameId" and s.enabled and s."spiderServiceName" = 'LocalDrawSpider'))`;
