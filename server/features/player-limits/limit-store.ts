import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import { limitPeriod, type PlayerLimit, type setOwnLimit } from '#contract/player-limits.ts';
import type { Db } from '#server/db/database.ts';
import { added, type Changes, changed, locked } from '#server/db/rows.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';

/** The limits of a player that hold or will, with what counts towards each of the period that runs. */
export async function playerLimits(db: Db, userId: number): Promise<PlayerLimit[]> {
  const { rows } = await sql<PlayerLimit>`
    select id, kind, period, as_money(most) as amount, as_money(used) as used, as_money(greatest(most - used, 0)) as left,
      case when waits then as_money("nextAmount") end as "nextAmount", case when waits then "nextTime" end as "nextTime"
    from (select l.*, limit_at(l, clock_timestamp()) as most, l."nextTime" > clock_timestamp() as waits,
        case l.kind when 'LOSS' then losses_used(l."userId", l.period, clock_timestamp())
          else deposits_used(l."userId", l.period, clock_timestamp()) end as used
      from player_limit l where l."userId" = ${userId}) as l
    where most is not null or waits
    order by kind, array_position(${limitPeriod.options}::text[], period)`.execute(db);
  return rows;
}

type Wanted = Omit<Input<typeof setOwnLimit>, 'id'> & { readonly userId: number };

interface Standing {
  readonly id: number;
  /** What holds now; null where nothing does. */
  readonly most: string | null;
  readonly nextAmount: string | null;
  readonly waits: boolean;
}

async function standing(tx: Db, { userId, kind, period }: Wanted): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select id, limit_at(l, clock_timestamp()) as most, "nextAmount", coalesce("nextTime" > clock_timestamp(), false) as waits
    from player_limit l where "userId" = ${userId} and kind = ${kind} and period = ${period}`.execute(tx);
  return rows[0];
}

const same = (a: string | null, b: string | null) =>
  a === null || b === null ? a === b : new Decimal(a).equals(b);

/** Lower at once, higher or none after the wait; what waits already goes on waiting when it is asked for again. */
function changesTo(wanted: string | null, now: Standing, waitHours: number): Changes<'player_limit'> {
  const { most, nextAmount, waits } = now;
  if (wanted !== null && (most === null || new Decimal(wanted).lessThanOrEqualTo(most)))
    return { amount: wanted, nextAmount: null, nextTime: null };
  if (most === null) throw new Refusal('playerLimitMissing', { field: 'amount' });
  if (waits && same(wanted, nextAmount)) return {};
  const nextTime = sql`clock_timestamp() + make_interval(hours => ${waitHours})`;
  return { amount: most, nextAmount: wanted, nextTime };
}

/** Sets a limit of a player, or lifts it, by the rules of `setPlayerLimit`. Throws `recordNotFound` and `playerLimitMissing`. */
export async function setLimit(tx: Db, wanted: Wanted): Promise<PlayerLimit> {
  const { userId, kind, period, amount = null } = wanted;
  await locked(tx, 'player', userId);
  const now = await standing(tx, wanted);
  const hours = await readParam(tx, 'limit.raiseWaitHours');
  if (now) {
    const changes = changesTo(amount, now, hours);
    if (Object.keys(changes).length > 0) await changed(tx, 'player_limit', { id: now.id }, changes);
  } else if (amount === null) throw new Refusal('playerLimitMissing', { field: 'amount' });
  else await added(tx, 'player_limit', { userId, kind, period, amount });
  const limits = await playerLimits(tx, userId);
  const limit = limits.find((each) => each.kind === kind && each.period === period);
  if (!limit) throw new Error('a limit was set and is not there');
  return limit;
}
