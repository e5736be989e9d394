import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Day } from '#server/platform-days.ts';
import { tenThousandths } from '../bets/decimal.ts';
import type { Reward } from './invites.ts';
import type { Share } from './shares.ts';

/** What a run pays somebody: what is due and what was carried, or nothing with the negative rest carried on. */
export interface Item {
  readonly userId: number;
  readonly kind: Share['kind'] | 'INVITE_REWARD';
  readonly due: bigint;
  readonly carried: bigint;
  readonly amount: bigint;
  readonly rest: bigint;
}

/** What is carried of those who are due something now: the rest of their last item. */
async function carriedBy(tx: Db, day: Day, users: readonly number[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ userId: number; kind: string; rest: string }>`
    select distinct on ("userId", kind) "userId", kind, rest from rebate_item
    where "userId" = any(${[...users]}::bigint[]) and "runDay" < ${day}::date order by "userId", kind, "runDay" desc`.execute(
    tx,
  );
  return new Map(rows.map(({ userId, kind, rest }) => [`${kind} ${userId}`, tenThousandths(rest)]));
}

function item(userId: number, kind: Item['kind'], due: bigint, carried: bigint): Item {
  const whole = due + carried;
  return { userId, kind, due, carried, amount: whole > 0n ? whole : 0n, rest: whole < 0n ? whole : 0n };
}

/** What a run pays, by what is due by its days and the rewards it gives. */
export async function itemsOf(
  tx: Db,
  day: Day,
  due: ReadonlyMap<string, Share>,
  rewards: readonly Reward[],
): Promise<Item[]> {
  // Whoever gets nothing in all, since one chain of agents gave what another takes back, is kept as well: the report counts both.
  const shares = [...due];
  const carried = await carriedBy(
    tx,
    day,
    shares.map(([, { userId }]) => userId),
  );
  const inviters = Map.groupBy(rewards, ({ inviterId }) => inviterId);
  return [
    ...shares.map(([key, { userId, kind, amount }]) => item(userId, kind, amount, carried.get(key) ?? 0n)),
    ...[...inviters].map(([inviterId, own]) =>
      item(
        inviterId,
        'INVITE_REWARD',
        own.reduce((sum, { amount }) => sum + tenThousandths(amount), 0n),
        0n,
      ),
    ),
  ];
}
