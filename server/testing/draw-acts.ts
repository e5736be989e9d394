import fc from 'fast-check';
import { sql } from 'kysely';
import { cleanDrawPlans, cleanDrawPlansExceptToday, generateDrawPlans } from '#contract/draw-plans.ts';
import type { Envelope } from '#contract/envelope.ts';
import { updateGamePhase } from '#contract/games.ts';
import { addSpider, deleteSpider, pageSpiders, updateSpider } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import { takesBets } from '#server/features/draw-plans/takes-bets.ts';
import { keepResults } from '#server/features/draw-records/keep-results.ts';
import { createVault } from '#server/vault.ts';
import { lookAtPlans } from './look-at-plans.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** Games of these orders draw once an hour, around the clock. */
export const SLOT_SECONDS = 3_600;

const hoursFrom = { from: fc.integer({ min: -3, max: 6 }), hours: fc.integer({ min: 0, max: 30 }) };
const kind = <const K extends string>(name: K) => ({ kind: fc.constant(name) });

/** What may happen to a game. */
export const acts = {
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
  spider: fc.record({
    ...kind('spider'),
    name: fc.constantFrom('LocalDrawSpider', 'OpenCodeSpider'),
    /** Beside the spiders that are there, or in their place. */
    beside: fc.boolean(),
  }),
  /** Switches one of the game's spiders on or off, if it has any. */
  toggle: fc.record({ ...kind('toggle'), which: fc.nat(3) }),
  bet: fc.record(kind('bet')),
  look: fc.record(kind('look')),
  pass: fc.record({ ...kind('pass'), hours: fc.integer({ min: 1, max: 4 }) }),
  restart: fc.record(kind('restart')),
};
export type Act = (typeof acts)[keyof typeof acts] extends fc.Arbitrary<infer A> ? A : never;

export interface Game {
  readonly id: number;
  /** Records that were looked at before. */
  readonly seen: Set<number>;
  /** Phases that took a bet without a promise. */
  readonly betOn: Set<string>;
}

const wire = (seconds: number): string =>
  new Date((seconds + 8 * 3_600) * 1000).toISOString().slice(0, 19).replace('T', ' ');
const slotNow = (): number => Math.floor(Date.now() / 1000 / SLOT_SECONDS);

function windowOf({ from, hours }: { from: number; hours: number }) {
  const begin = (slotNow() + from) * SLOT_SECONDS;
  return { beginDate: wire(begin), endDate: wire(begin + hours * SLOT_SECONDS) };
}

/** The phase of now, counted here anew: these games number on from the phase that was set, slot by slot. */
export async function currentPhase(db: Db, { id }: Game): Promise<number> {
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

const spidersOf = async (admin: TestClient, gameId: number) =>
  (await admin.call(pageSpiders, { gameId })).envelope.data?.data ?? [];

const switchSpider: Doing<'spider'> = async (on, { id: gameId }, { name: spiderServiceName, beside }) => {
  const admin = await on.admin();
  const spiders = await spidersOf(admin, gameId);
  if (!beside) for (const { id } of spiders) demandSound((await admin.call(deleteSpider, { id })).envelope);
  const spider = { gameId, name: `来源${spiders.length}`, spiderServiceName, options: LOCAL_OPTIONS };
  const { envelope } = await admin.call(addSpider, { ...spider, url: 'http://feed.example/' });
  demandSound(envelope);
};

const toggle: Doing<'toggle'> = async (on, { id: gameId }, { which }) => {
  const admin = await on.admin();
  const spiders = await spidersOf(admin, gameId);
  const spider = spiders[which % Math.max(1, spiders.length)];
  if (!spider) return;
  const { id, name, url, spiderServiceName, options, enabled } = spider;
  const fields = {
    gameId,
    name,
    url: url ?? '',
    spiderServiceName,
    options: options ?? '',
    enabled: !enabled,
  };
  demandSound((await admin.call(updateSpider, { id, ...fields })).envelope);
};

/** A player bets on whatever takes bets. Only what is not promised yet matters: it must never be promised from now on. */
export async function bet(db: Db, { id, betOn }: Game): Promise<void> {
  const { rows } = await sql<{ phase: string }>`
    select phase from draw_plan where "gameId" = ${id} and commitment is null and ${takesBets(new Date())}`.execute(
    db,
  );
  for (const { phase } of rows) betOn.add(phase);
}

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
    await sql`update local_game set since = since - ${hours} * interval '1 hour' where "gameId" = ${id}`.execute(
      tx,
    );
  });
};

/** Does an act on one server; `restart` starts that anew. */
export function doAct(on: TestServer, restart: () => Promise<void>, game: Game, act: Act): Promise<void> {
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
    case 'toggle':
      return toggle(on, game, act);
    case 'bet':
      return bet(on.db, game);
    case 'look':
      return look(on, game, act);
    case 'pass':
      return pass(on, game, act);
    case 'restart':
      return restart();
  }
}
