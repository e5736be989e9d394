import { sql } from 'kysely';

/** When the betting of a plan `p` of its game `g` closes: `c.closes`, in a `from`. */
export const closing = sql`closing_of(g.id, p.phase, g."stopBetSecond", p."startTime", p."endTime") as c`;
