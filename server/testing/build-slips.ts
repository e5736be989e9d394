import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { buildGame } from './build-game.ts';

const numbers = Array.from({ length: 10 }, (_, number) => String(number));
const digit = (place: number, version = 1) => ({
  handler: 'ValueHandler',
  version,
  options: {},
  latitude: { id: place + 1, name: `第 ${place + 1} 位`, resultIndex: String(place) },
  selection: null,
  separator: ',',
  oddsFrom: 'NUMBER',
  odds: numbers.map((number) => ({ number, odds: `9.7${number}` })),
});
const size = {
  handler: 'BigSmallHandler',
  version: 1,
  options: { from: 5, push: [9], measure: 'value' },
  latitude: { id: 3, name: '第一位大小', resultIndex: '0' },
  selection: null,
  separator: ',',
  oddsFrom: 'NUMBER',
  odds: ['大', '小'].map((number) => ({ number, odds: '1.985' })),
};
const dragon = {
  ...{ ...size, handler: 'DragonTigerHandler', options: { tie: 'PUSH' } },
  latitude: { id: 4, name: '前两位龙虎', resultIndex: '0,1' },
  odds: ['龙', '虎', '和'].map((number) => ({ number, odds: number === '和' ? '9.5' : '1.98' })),
};

/**
 * Copies of rules that slips of tests are placed by, each of a play way of its own: the number at either of the first two places of five
 * (9.70 to 9.79), big and small of the first (1.985; 9 is given back), which of the two is above the other (equal ones win by themselves
 * and give the rest back), and one whose handler is not there any more.
 */
export const builtRules = {
  ...{ first: digit(0), second: digit(1), size, dragon },
  broken: digit(0, 99),
} as const;
export type BuiltRules = keyof typeof builtRules;
export const playWays: Readonly<Record<BuiltRules, number>> = {
  first: 101,
  second: 102,
  size: 103,
  broken: 104,
  dragon: 105,
};

/** Where slips are built. */
export interface BuiltPhase {
  readonly gameId: number;
  readonly phase: string;
}

/** A phase whose plan is over and waits for its result, unless it draws in so many seconds; its game draws by no source of its own. */
export async function buildPhase(db: Db, phase = '5000', { to = -300 } = {}): Promise<BuiltPhase> {
  const gameId = await buildGame(db, { phase: '1', status: false, numbers });
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    values (${gameId}, ${phase}, date_trunc('second', now()) - interval '10 minutes',
      date_trunc('second', now()) + ${to} * interval '1 second', ${to > 0 ? 'WAITTING' : 'OPENING'})`.execute(
    db,
  );
  return { gameId, phase };
}

/** Promises a phase that is still bet on, as local draws do; what it says is made up. */
export async function buildPromise(db: Db, { gameId, phase }: BuiltPhase, rules: object = {}) {
  await sql`insert into local_game ("gameId", since) values (${gameId}, now() - interval '1 day')`.execute(
    db,
  );
  await sql`
    insert into draw_commitment ("gameId", phase, rules, commitment, seed)
    values (${gameId}, ${phase}, ${JSON.stringify({ count: 5, ...rules })}::jsonb, 'a', '\\x00')`.execute(db);
}

/** Records a result as a source's word does. Gives the record's id. */
export async function recordResult(db: Db, phase: BuiltPhase, result: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into draw_record ("gameId", phase, result, "openTime", source)
    values (${phase.gameId}, ${phase.phase}, ${result}, now(), '测试') returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no record');
  return id;
}

/** What sources said otherwise of a record: results that it may be corrected to. */
export async function claimResults(db: Db, recordId: number, results: readonly string[]): Promise<void> {
  await sql`
    insert into draw_claim ("recordId", source, result, "openTime")
    select ${recordId}::bigint, '另一来源', result, now() from unnest(${[...results]}::text[]) as w (result)`.execute(
    db,
  );
}

/** Players with money for slips. */
export async function buildBettors(db: Db, count: number, balance = '100000'): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with player as (insert into player ("nickName") select '玩家' from generate_series(1, ${count}::int) returning id)
    insert into account ("userId") select id from player order by id returning "userId" as id`.execute(db);
  const users = rows.map(({ id }) => id).toSorted((a, b) => a - b);
  await sql`
    select from post_entries(${users}::bigint[], array_fill('MANUAL_ADDITION'::text, array[${count}::int]),
      array_fill(${balance}::numeric, array[${count}::int]), array_fill(null::text, array[${count}::int]),
      array_fill(null::text, array[${count}::int]))`.execute(db);
  return users;
}

/** A line as a test says it: 2 a unit, one unit. */
export const builtLine = (rules: BuiltRules, selection: string, unitStake = '2', units = 1) => ({
  ...{ rules, selection, unitStake, units },
});

/** A slip as a test says it. */
export interface BuiltSlip {
  readonly userId: number;
  /** The agents it is placed under, the nearest first; none unless said. */
  readonly agents?: readonly number[];
  readonly testAccount?: boolean;
  readonly lines: readonly {
    readonly rules: BuiltRules;
    readonly selection: string;
    readonly unitStake: string;
    readonly units?: number;
  }[];
}

/** Slips of a phase as placing leaves them: rows, lines, and the stakes taken. Gives their ids in the order given. */
export async function buildSlips(
  db: Db,
  { gameId, phase }: BuiltPhase,
  slips: readonly BuiltSlip[],
): Promise<number[]> {
  await sql`
    insert into slip_rules (hash, "playWayId", "playWayName", "categoryName", "subCategoryName", rules)
    select sha256(convert_to(r.rules::text, 'UTF8')), r.id, r.name, '测试', '测试', r.rules
    from unnest(${Object.values(playWays)}::bigint[], ${Object.keys(builtRules)}::text[],
      ${Object.values(builtRules).map((rules) => JSON.stringify(rules))}::jsonb[]) as r (id, name, rules)
    on conflict do nothing`.execute(db);
  const placed = slips.map(({ agents = [], testAccount = false, ...slip }, place) => ({
    ...{ ...slip, place, testAccount },
    agents: agents.map((id) => ({ id })),
  }));
  const { rows } = await sql<{ id: number }>`
    with said as (
      select place, nextval('slip_id_seq') as id, s."userId", s.lines, s.agents, s."testAccount", (
        select as_money(sum((l ->> 'unitStake')::numeric * coalesce((l ->> 'units')::integer, 1))) from jsonb_array_elements(s.lines) l) as stake
      from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as s (place integer, "userId" bigint, lines jsonb, agents jsonb, "testAccount" boolean)
    ), line as (
      insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
      select said.id, r."playWayId", r.id, l.one ->> 'selection', l.units, l.stake, as_money(l.stake * l.units), '"9.7"', 0
      from said, lateral (
        select one, n, coalesce((one ->> 'units')::integer, 1) as units, as_money((one ->> 'unitStake')::numeric) as stake
        from jsonb_array_elements(said.lines) with ordinality as each (one, n)) as l
        join slip_rules r on r."playWayName" = l.one ->> 'rules' and r."categoryName" = '测试'
      order by place, l.n
    ), slip as (
      insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash",
        "createTime")
      overriding system value
      select said.id, ${randomUUID()} || said.id, "userId", ${gameId}, p.id, ${phase}, p."endTime", stake, 'SAME', agents, "testAccount", '',
        p."startTime" + interval '1 minute' + interval '1 second' * (place % 60)
      from said join draw_plan p on p."gameId" = ${gameId} and p.phase = ${phase}
    ), posted as (
      select post_entries(array_agg("userId" order by place), array_agg('BET'::text), array_agg(stake order by place),
        array_agg('B' || id order by place), array_agg(null::text)) from said
    )
    select id from said, (select count(*) from posted) as done order by place`.execute(db);
  return rows.map(({ id }) => id);
}
