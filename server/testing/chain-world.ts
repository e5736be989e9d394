import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { fullOperator, setParam } from './approving.ts';
import { PASSWORD } from './build-operator.ts';
import type { World } from './chain-acts.ts';
import { bringDraws, type ChainGround } from './chain-ground.ts';
import { textOf, type Units } from './chain-model.ts';
import { ChainRun } from './chain-run.ts';
import { inParallel } from './parallel.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** So many chains act at the same moment. */
const WIDTH = 6;

/** A server for worlds of chains. */
export interface ChainServer {
  readonly server: TestServer;
  readonly tally: Record<string, number>;
  readonly second: string;
}

export async function startChains(): Promise<ChainServer> {
  const server = await startTestServer();
  // What needs a second operator is done only where whoever prepares it is not the only other one.
  await fullOperator(server);
  const { username } = await fullOperator(server);
  return { server, tally: {}, second: username };
}

/** Sessions outlive no more than a quarter of an hour, so each world signs in anew. */
async function groundOf({ server, tally, second }: ChainServer, bySecond: boolean): Promise<ChainGround> {
  const { adminUsername, adminPassword } = server.config;
  await setParam(server.db, 'approval.enabled', String(bySecond));
  return {
    ...{ server, tally, bySecond, site: server.site() },
    admin: await server.as(adminUsername, adminPassword ?? ''),
    second: await server.as(second, PASSWORD),
  };
}

/** Compares what players have, and that it is never below zero. */
async function expectPurses(db: Db, runs: readonly ChainRun[]): Promise<void> {
  const users = runs.flatMap(({ userIds }) => userIds);
  const { rows } = await sql<{ told: string }>`
    select round("availableAmount", 4) || ' ' || round("freezeAmount", 4) || ' ' || round(debt, 4) as told
    from unnest(${users}::bigint[]) with ordinality as u (id, n) join account on "userId" = u.id order by n`.execute(
    db,
  );
  const purses = runs.flatMap(({ model }) => model.purses);
  expect(rows.map(({ told }) => told)).toEqual(
    purses.map(({ available, frozen, debt }) => [available, frozen, debt].map(textOf).join(' ')),
  );
  for (const { available, frozen, debt } of purses)
    expect(available >= 0n && frozen >= 0n && debt >= 0n).toBe(true);
}

async function expectSlips(db: Db, runs: readonly ChainRun[]): Promise<void> {
  const slips = runs.flatMap(({ slipIds }) => slipIds);
  const { rows } = await sql<{ told: string }>`
    select s.status || ' ' || round(s.payout, 4) || ' ' || round(s.refund, 4) as told
    from unnest(${slips}::bigint[]) with ordinality as w (id, n) join slip s using (id) order by n`.execute(
    db,
  );
  expect(rows.map(({ told }) => told)).toEqual(runs.flatMap(({ model }) => model.told()));
}

const each = (runs: readonly ChainRun[], work: (run: ChainRun) => Promise<void>) =>
  inParallel(
    runs.map((run) => () => work(run)),
    WIDTH,
  );

/** Works everything off and compares; who wins more than this is held, unless it is 0. */
async function settle({ server: { db }, tally }: ChainServer, runs: readonly ChainRun[], mostWon: Units) {
  await setParam(db, 'bet.holdPayoutAbove', textOf(mostWon));
  await settleDue(db);
  for (const { model } of runs) {
    const { size } = model.held;
    model.settle(mostWon);
    tally['wins held'] = (tally['wins held'] ?? 0) + Math.max(0, model.held.size - size);
  }
  await each(runs, (run) => run.expectPosted());
  await expectPurses(db, runs);
  await expectSlips(db, runs);
}

/** Runs the chains of a world side by side to their ends, comparing all along. */
export async function runWorld(
  chains: ChainServer,
  { bySecond, settlings, chains: said }: World,
): Promise<void> {
  const ground = await groundOf(chains, bySecond);
  const runs = said.map((chain) => new ChainRun(ground, chain));
  await each(runs, (run) => run.build());
  for (const [step, mostWon] of settlings.entries()) {
    const due = runs.filter((run) => run.isDrawnAt(step)).map(({ gameId }) => gameId);
    if (due.length > 0) await bringDraws(ground.server.db, due);
    await each(runs, (run) => run.step(step));
    await expectPurses(ground.server.db, runs);
    if (mostWon !== null) await settle(chains, runs, mostWon);
  }
  await settle(chains, runs, 0n);
  await each(runs, (run) => run.end());
  await settle(chains, runs, 0n);
  for (const { model } of runs) expect([model.isQuiet, model.held.size]).toEqual([true, 0]);
}
