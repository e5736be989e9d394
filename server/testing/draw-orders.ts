import fc from 'fast-check';
import { sql } from 'kysely';
import { connect, type Db } from '#server/db/database.ts';
import { buildGame } from './build-game.ts';
import { type Act, acts, bet, currentPhase, doAct, type Game, SLOT_SECONDS } from './draw-acts.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const ZONE = 'Asia/Shanghai';

const weighed = (weights: Partial<Record<keyof typeof acts, number>>) =>
  fc.oneof(
    ...Object.entries(weights).map(([name, weight]) => ({
      weight,
      arbitrary: acts[name as keyof typeof acts] as fc.Arbitrary<Act>,
    })),
  );
const atOnce = { feed: 24, generate: 16, clean: 12, phase: 8, spider: 8, toggle: 12, bet: 8, look: 16 };
const server = fc.constantFrom<0 | 1>(0, 1);
const alone = fc.tuple(fc.tuple(server, weighed({ ...atOnce, pass: 16, restart: 1 })));
const together = fc.tuple(fc.tuple(server, weighed(atOnce)), fc.tuple(server, weighed(atOnce)));

/**
 * What operators, sources, timers and the clock do to a game, in any order, on two servers: acts one after the other, and now and
 * then two at the same moment.
 */
export const drawOrders = fc.array(
  fc.oneof({ weight: 20, arbitrary: alone }, { weight: 8, arbitrary: together }),
  { minLength: 3, maxLength: 16 },
);
type Step = readonly (readonly [0 | 1, Act])[];

export interface DrawWorld {
  /** Lives through an order with a game of its own; throws when what must never be comes about. */
  live(order: readonly Step[]): Promise<void>;
  close(): Promise<void>;
}

/** What must never be, of one game: said of its plans, records and promises as they are now. */
async function violations(db: Db, { id, betOn }: Game): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'a plan whose result was known before betting closed: ' || phase as what
    from draw_plan p join draw_record r using ("gameId", phase)
    where "gameId" = ${id} and (p.status = 'WAITTING' or r."createTime" < p."endTime")
    union all
    select 'a promised phase drawn by ' || coalesce(r.source, 'nobody') || ': ' || phase
    from draw_commitment c join draw_record r using ("gameId", phase) where "gameId" = ${id} and r.seed is null
    union all
    select 'a local draw without promise: ' || phase
    from draw_record r where "gameId" = ${id} and seed is not null
      and not exists (select from draw_commitment c where c."gameId" = r."gameId" and c.phase = r.phase)
    union all
    select 'a phase promised after it took bets: ' || phase
    from draw_commitment where "gameId" = ${id} and phase = any(${[...betOn]}::text[])
    union all
    select 'a plan that lost its promise: ' || phase
    from draw_commitment c join draw_plan p using ("gameId", phase)
    where "gameId" = ${id} and p.commitment is distinct from c.commitment
    union all
    select 'a plan that ended without a result: ' || phase from draw_plan p
    where "gameId" = ${id} and status = 'OPENED'
      and not exists (select from draw_record r where r."gameId" = p."gameId" and r.phase = p.phase)`.execute(
    db,
  );
  return rows.map(({ what }) => what);
}

/** Records that came about in the last step though their phase was not planned, and could still be. */
async function unplannedAhead(db: Db, game: Game, current: number): Promise<string[]> {
  const { rows } = await sql<{ id: number; phase: string; isPlanned: boolean }>`
    select id, phase, exists (select from draw_plan p where p.phase = r.phase and p."gameId" = r."gameId") as "isPlanned"
    from draw_record r where "gameId" = ${game.id}`.execute(db);
  const fresh = rows.filter(({ id }) => !game.seen.has(id));
  for (const { id } of fresh) game.seen.add(id);
  return fresh
    .filter(({ phase, isPlanned }) => !isPlanned && Number(phase) >= current)
    .map(({ phase }) => `a record of an unplanned phase that is not past: ${phase}, now ${current}`);
}

/** Two servers over one database. */
class Servers {
  readonly #databases: readonly [TestDatabase, TestDatabase];
  #running: [TestServer, TestServer];

  constructor(databases: readonly [TestDatabase, TestDatabase], running: [TestServer, TestServer]) {
    this.#databases = databases;
    this.#running = running;
  }

  at(which: 0 | 1): TestServer {
    return this.#running[which];
  }

  async restart(which: 0 | 1): Promise<void> {
    await this.#running[which].close();
    this.#running[which] = await startTestServer({}, this.#databases[which]);
  }

  async close(): Promise<void> {
    for (const each of this.#running) await each.close();
    await this.#databases[1].db.destroy();
    await this.#databases[0].drop();
  }
}

async function live(servers: Servers, order: readonly Step[]): Promise<void> {
  const { db } = servers.at(0);
  const id = await buildGame(db, { openRate: SLOT_SECONDS, phase: '1000', status: false });
  const game = { id, seen: new Set<number>(), betOn: new Set<string>() };
  for (const step of order) {
    const before = await currentPhase(db, game);
    const ends = await Promise.allSettled(
      step.map(([which, act]) => doAct(servers.at(which), () => servers.restart(which), game, act)),
    );
    const broken = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
    // Of two acts at once nobody knows which came first: what was past before or after was past.
    const current = Math.max(before, await currentPhase(db, game));
    await bet(db, game);
    const found = [...broken, ...(await violations(db, game)), ...(await unplannedAhead(db, game, current))];
    if (found.length > 0) throw new Error(found.join('; '));
  }
  // The timers of later orders need not look at this game.
  await sql`delete from spider where "gameId" = ${id}`.execute(db);
  await sql`delete from draw_plan where "gameId" = ${id}`.execute(db);
}

/** Two servers over a database of their own, on which orders can be lived. */
export async function startDrawWorld(): Promise<DrawWorld> {
  const first = await testDatabase({ timeZone: ZONE });
  const second = { ...first, db: connect(first.url, { timeZone: ZONE }) };
  const running: [TestServer, TestServer] = [
    await startTestServer({}, first),
    await startTestServer({}, second),
  ];
  const servers = new Servers([first, second], running);
  return { live: (order) => live(servers, order), close: () => servers.close() };
}
