import fc from 'fast-check';
import { sql } from 'kysely';
import { cleanDrawPlans, cleanDrawPlansExceptToday, generateDrawPlans } from '#contract/draw-plans.ts';
import type { Envelope } from '#contract/envelope.ts';
import { updateGamePhase } from '#contract/games.ts';
import { addSpider, deleteSpider, pageSpiders } from '#contract/spiders.ts';
import { connect, type Db } from '#server/db/database.ts';
import { keepResults } from '#server/features/draw-records/keep-results.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import { createVault } from '#server/vault.ts';
import { buildGame } from './build-game.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const ZONE = 'Asia/Shanghai';
/** Games of these orders draw once an hour, around the clock. */
const SLOT_SECONDS = 3_600;

const hoursFrom = { from: fc.integer({ min: -3, max: 6 }), hours: fc.integer({ min: 0, max: 30 }) };
const kind = <const K extends string>(name: K) => ({ kind: fc.constant(name) });

const acts = {
  feed: fc.record({
    ...kind('feed'),
    /** How far from the current phase the first one lies. */
    from: fc.integer({ min: -6, max: 12 }),
    count: fc.integer({ min: 1, max: 8 }),
    result: fc.constantFrom('7,7,7', '1,2,3'),
    /** What the source claims, in seconds from now. */
    openTime: fc.constantFrom(-100_000_000, -1, 3_600, null),
  }),
  generate: fc.record({ ...kind('generate'), ...hoursFrom }),
  clean: fc.record({
    ...kind('clean'),
    ...hoursFrom,
    how: fc.constantFrom('all', 'window', 'exceptToday'),
  }),
  phase: fc.record({ ...kind('phase'), by: fc.integer({ min: -9, max: 9 }) }),
  spider: fc.record({ ...kind('spider'), name: fc.constantFrom('LocalDrawSpider', 'OpenCodeSpider') }),
  look: fc.record(kind('look')),
  pass: fc.record({ ...kind('pass'), hours: fc.integer({ min: 1, max: 4 }) }),
  restart: fc.record(kind('restart')),
};
type Act = (typeof acts)[keyof typeof acts] extends fc.Arbitrary<infer A> ? A : never;

const weighed = (weights: Partial<Record<keyof typeof acts, number>>) =>
  fc.oneof(
    ...Object.entries(weights).map(([name, weight]) => ({
      weight,
      arbitrary: acts[name as keyof typeof acts] as fc.Arbitrary<Act>,
    })),
  );
const atOnce = { feed: 24, generate: 16, clean: 12, phase: 8, spider: 8, look: 16 };
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

interface Game {
  readonly id: number;
  /** Records that were looked at before. */
  readonly seen: Set<number>;
}

const wire = (seconds: number): string =>
  new Date((seconds + 8 * 3_600) * 1000).toISOString().slice(0, 19).replace('T', ' ');
const slotNow = (): number => Math.floor(Date.now() / 1000 / SLOT_SECONDS);

function windowOf({ from, hours }: { from: number; hours: number }) {
  const begin = (slotNow() + from) * SLOT_SECONDS;
  return { beginDate: wire(begin), endDate: wire(begin + hours * SLOT_SECONDS) };
}

/** The phase of now, counted here anew: these games number on from the phase that was set, slot by slot. */
async function currentPhase(db: Db, { id }: Game): Promise<number> {
  const { rows } = await sql<{ phase: string; slot: number }>`
    select phase, floor(extract(epoch from "phaseTime") / ${SLOT_SECONDS})::int as slot from game where id = ${id}`.execute(
    db,
  );
  return Number(rows[0]?.phase) + slotNow() - (rows[0]?.slot ?? 0);
}

/** A change may be refused, but never break. */
function demandSound({ success, code, msg }: Envelope): void {
  if (!success && code !== 400) throw new Error(`a call broke: ${code} ${msg}`);
}

type Doing<K extends Act['kind']> = (
  server: TestServer,
  game: Game,
  act: Extract<Act, { kind: K }>,
) => Promise<void>;

const feed: Doing<'feed'> = async ({ db }, game, { from, count, result, openTime }) => {
  const first = (await currentPhase(db, game)) + from;
  const now = new Date();
  const time = openTime === null ? null : Math.floor(now.getTime() / 1000) + openTime;
  const results = Array.from({ length: count }, (_, n) => ({
    phase: String(first + n),
    result,
    openTime: time,
  }));
  const reading = { gameId: game.id, source: '甲', results, now };
  await db.transaction().execute((tx) => keepResults(tx, reading));
};

const generate: Doing<'generate'> = async (on, game, given) => {
  const admin = await on.admin();
  const { envelope } = await admin.call(generateDrawPlans, { gameId: game.id, ...windowOf(given) });
  demandSound(envelope);
};

const clean: Doing<'clean'> = async (on, game, { how, ...given }) => {
  const admin = await on.admin();
  const { beginDate, endDate } = windowOf(given);
  const range: { startTimeRange?: [string, string] } =
    how === 'window' ? { startTimeRange: [beginDate, endDate] } : {};
  const { envelope } =
    how === 'exceptToday'
      ? await admin.call(cleanDrawPlansExceptToday, { gameId: game.id })
      : await admin.call(cleanDrawPlans, { gameId: game.id, ...range });
  demandSound(envelope);
};

const setPhase: Doing<'phase'> = async (on, game, { by }) => {
  const phase = String((await currentPhase(on.db, game)) + by);
  demandSound((await (await on.admin()).call(updateGamePhase, { id: game.id, phase })).envelope);
};

const LOCAL_OPTIONS = '{"count":3,"pool":["1","2","3","4"],"repeat":true}';

/** The game's one spider makes room for this one. */
const switchSpider: Doing<'spider'> = async (on, { id: gameId }, { name: spiderServiceName }) => {
  const admin = await on.admin();
  const spiders = (await admin.call(pageSpiders, { gameId })).envelope.data?.data ?? [];
  for (const { id } of spiders) demandSound((await admin.call(deleteSpider, { id })).envelope);
  const spider = { gameId, name: '来源', spiderServiceName, options: LOCAL_OPTIONS };
  const { envelope } = await admin.call(addSpider, { ...spider, url: 'http://feed.example/' });
  demandSound(envelope);
};

const look: Doing<'look'> = ({ db, config }) =>
  lookAtPlans({
    db,
    config,
    vault: createVault(config.secret),
    clock: () => new Date(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });

/** Time passes: all that happened lies further back. By way of a far past, lest two plans meet on their way. */
const pass: Doing<'pass'> = async ({ db }, { id }, { hours }) => {
  await db.transaction().execute(async (tx) => {
    await sql`select from game where id = ${id} for update`.execute(tx);
    await sql`update game set "phaseTime" = "phaseTime" - ${hours} * interval '1 hour' where id = ${id}`.execute(
      tx,
    );
    for (const distance of [24_000_000, hours - 24_000_000])
      await sql`update draw_plan set "startTime" = "startTime" - ${distance} * interval '1 hour',
        "endTime" = "endTime" - ${distance} * interval '1 hour' where "gameId" = ${id}`.execute(tx);
    await sql`update draw_record set "createTime" = "createTime" - ${hours} * interval '1 hour'
      where "gameId" = ${id}`.execute(tx);
  });
};

/** What must never be, of one game: said of its plans, records and promises as they are now. */
async function violations(db: Db, { id }: Game): Promise<string[]> {
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

function doAct(servers: Servers, game: Game, [which, act]: Step[number]): Promise<void> {
  const on = servers.at(which);
  switch (act.kind) {
    case 'feed':
      return feed(on, game, act);
    case 'generate':
      return generate(on, game, act);
    case 'clean':
      return clean(on, game, act);
    case 'phase':
      return setPhase(on, game, act);
    case 'spider':
      return switchSpider(on, game, act);
    case 'look':
      return look(on, game, act);
    case 'pass':
      return pass(on, game, act);
    case 'restart':
      return servers.restart(which);
  }
}

async function live(servers: Servers, order: readonly Step[]): Promise<void> {
  const { db } = servers.at(0);
  const id = await buildGame(db, { openRate: SLOT_SECONDS, phase: '1000', status: false });
  const game = { id, seen: new Set<number>() };
  for (const step of order) {
    const before = await currentPhase(db, game);
    const ends = await Promise.allSettled(step.map((act) => doAct(servers, game, act)));
    const broken = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
    // Of two acts at once nobody knows which came first: what was past before or after was past.
    const current = Math.max(before, await currentPhase(db, game));
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
