import { sql } from 'kysely';
import { cancelSlip } from '#contract/slips.ts';
import type { Db } from '#server/db/database.ts';
import { answered } from './answered.ts';
import { closeBefore } from './build-betting.ts';
import { buildPhase, buildSlips } from './build-slips.ts';
import { buildUser } from './build-user.ts';
import { type ChainSlip, textOf, type Units } from './chain-model.ts';
import { ownerOf } from './owner-of.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** Where chains run: each on a phase and players of its own. */
export interface ChainGround {
  readonly server: TestServer;
  readonly admin: TestClient;
  /** Releases what the other prepared, where that is asked for. */
  readonly second: TestClient;
  readonly site: TestClient;
  readonly bySecond: boolean;
  /** What chains came across, so that a run can tell that it tried what it should. */
  readonly tally: Record<string, number>;
}

/** What a chain is about in the database. */
export interface ChainPlace {
  readonly gameId: number;
  readonly phase: string;
  readonly users: readonly { readonly userId: number; readonly accountId: number }[];
  readonly slipIds: readonly number[];
}

/** Far enough ahead that no chain sees it. */
const DRAW_IN_SECONDS = 7_200;

/** Makes a phase, its players and slips, takes back those that were cancelled, and closes the phase: it has still to be drawn. */
export async function buildChain(
  { server: { db }, admin }: ChainGround,
  balances: readonly Units[],
  slips: readonly ChainSlip[],
): Promise<ChainPlace> {
  const phase = await buildPhase(db, '5000', { to: DRAW_IN_SECONDS });
  const users: ChainPlace['users'][number][] = [];
  for (const balance of balances) users.push(await buildUser(db, { balance: textOf(balance) }));
  const built = slips.map(({ player, lines }) => ({
    userId: users[player]?.userId ?? 0,
    lines: lines.map(({ rules, chosen, unitStake }) => ({
      ...{ rules, selection: chosen.join(','), unitStake: textOf(unitStake), units: chosen.length },
    })),
  }));
  const slipIds = await buildSlips(db, phase, built);
  for (const [place, id] of slipIds.entries())
    if (slips[place]?.isCancelled) {
      const { success, msg } = await answered(admin, cancelSlip, { id, reason: '玩家误投' });
      if (!success) throw new Error(`slip ${id} is not cancelled: ${msg}`);
    }
  await sql`update game set "openRate" = ${DRAW_IN_SECONDS * 2} where id = ${phase.gameId}`.execute(db);
  await closeBefore(db, phase.gameId, DRAW_IN_SECONDS + 1);
  return { ...phase, users, slipIds };
}

/** Lets the draws of games come, as waiting for them would; nobody else writes slips or plans meanwhile. */
export const bringDraws = (db: Db, games: readonly number[]): Promise<void> =>
  ownerOf(db)
    .transaction()
    .execute(async (tx) => {
      // The times of a plan with slips are final.
      for (const table of ['draw_plan', 'slip'])
        await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
      await sql`
      with plan as (
        update draw_plan set "endTime" = date_trunc('second', now()), status = 'OPENING' where "gameId" = any(${[...games]}::bigint[])
        returning id, "endTime"
      )
      update slip set "drawTime" = plan."endTime" from plan where plan.id = slip."planId"`.execute(tx);
      for (const table of ['draw_plan', 'slip'])
        await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
    });

/** The moments at which slips of these places were placed, a second apart. */
export async function windowOf(
  db: Db,
  slipIds: readonly number[],
  [from, to]: readonly [number, number],
): Promise<[string, string]> {
  const { rows } = await sql<{ start: string; end: string }>`
    select min("createTime") + make_interval(secs => ${from}) as start, min("createTime") + make_interval(secs => ${to}) as end
    from slip where id = any(${[...slipIds]}::bigint[])`.execute(db);
  const [row] = rows;
  return [(row?.start ?? '').slice(0, 19), (row?.end ?? '').slice(0, 19)];
}
