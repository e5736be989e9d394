import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { type Entry, postAll } from '../ledger/ledger-store.ts';
import { slipOrderNo } from '../ledger/order-numbers.ts';
import { findSeedValue, rememberSeed } from '../seed-store.ts';
import { dice } from './dice.ts';
import { addDraws, type SampleDraws, sampleDraws } from './sample-draws.ts';
import { type SampleMovement, type SampleOrder, sampleMonth } from './sample-month.ts';
import { type SamplePerson, samplePeople } from './sample-people.ts';
import { addAgents, addHouseRules, addNews } from './sample-setup.ts';
import { addSlips } from './sample-slip-rows.ts';
import { openBook, type SampleSlip } from './sample-slips.ts';

const KEY = 'sample:players';
/** How many players live for how many days. */
const month = { players: 200, days: 30 };
const BATCH = 2_000;

const moneyOf = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const momentOf = (time: Date): string => time.toISOString();

/** Adds the players with their accounts; answers their ids in the same order. */
async function addPeople(db: Db, people: readonly SamplePerson[]): Promise<number[]> {
  const rows = people.map(({ joined, inviter: _inviter, agentId: _agent, zeal: _zeal, ...person }) => ({
    ...person,
    at: momentOf(joined),
  }));
  const { rows: added } = await sql<{ id: number }>`
    insert into player (username, "realName", "nickName", phone, email, level, "createTime")
    select username, "realName", "nickName", phone, email, level, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (username text, "realName" text, "nickName" text, phone text,
      email text, level integer, at timestamptz)
    returning id`.execute(db);
  const ids = added.map(({ id }) => id);
  const ties = people.map(({ inviter, agentId }, place) => ({
    id: ids[place],
    parentId: inviter === null ? null : ids[inviter],
    agentId: agentId === null ? null : ids[agentId],
  }));
  await sql`
    update player p set "parentId" = x."parentId", "agentId" = x."agentId"
    from jsonb_to_recordset(${JSON.stringify(ties)}::jsonb) as x (id bigint, "parentId" bigint, "agentId" bigint)
    where p.id = x.id`.execute(db);
  await sql`insert into account ("userId", "createTime") select id, "createTime" from player
    where id = any(${ids}::bigint[]) order by id`.execute(db);
  return ids;
}

/** Places the orders of one kind as they came in; answers their ids in the same order. */
async function placeOrders(
  db: Db,
  table: SampleOrder['kind'],
  orders: readonly SampleOrder[],
  ids: readonly number[],
) {
  const rows = orders.map(({ person, cents, type, placed }, place) => ({
    userId: ids[person],
    amount: moneyOf(cents),
    usdt: type === 'USDT_TRANSFER' ? moneyOf(Math.round(cents / 7.2)) : null,
    bankOrderNo: `${table === 'deposit' ? 'D' : 'W'}${momentOf(placed).replace(/\D/g, '').slice(0, 14)}${String(place).padStart(4, '0')}`,
    type,
    at: momentOf(placed),
  }));
  // A deposit comes from the player, a withdrawal goes to them: whoever pays that out is entered when it is paid.
  const own =
    table === 'deposit'
      ? sql`"fromName", "fromAccountNo"`
      : sql`"receiveRealName", "receiveAccountNo", "receiveAlias"`;
  const account = sql`p."realName", '622202' || lpad((p.id * 7919 % 10000000000)::text, 10, '0')`;
  const values = table === 'deposit' ? account : sql`${account}, '银行卡'`;
  const { rows: added } = await sql<{ id: number }>`
    insert into ${sql.table(table)} ("userId", amount, "usdtAmount", "bankOrderNo", type, "createTime", ${own})
    select p.id, x.amount, x.usdt, x."bankOrderNo", x.type, x.at, ${values}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x ("userId" bigint, amount numeric, usdt numeric,
      "bankOrderNo" text, type text, at timestamptz) join player p on p.id = x."userId"
    order by x.at, x."bankOrderNo"
    returning id`.execute(db);
  return added.map(({ id }) => id);
}

/** Takes the orders that were decided out of PROCESSING. */
async function decideOrders(
  db: Db,
  table: SampleOrder['kind'],
  orders: readonly SampleOrder[],
  ids: readonly number[],
  reviewer: string,
) {
  const rows = orders.flatMap(({ decided, passed }, place) =>
    decided
      ? [
          {
            id: ids[place],
            status: passed ? 'SUCCESS' : 'FAIL',
            at: momentOf(decided),
            remark: passed ? null : '信息不符',
          },
        ]
      : [],
  );
  await sql`
    update ${sql.table(table)} o set status = x.status, reviewer = ${reviewer}, "reviewTime" = x.at, remark = x.remark,
      "successTime" = case when x.status = 'SUCCESS' then x.at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id bigint, status text, at timestamptz, remark text)
    where o.id = x.id`.execute(db);
}

async function postMovements(db: Db, entries: readonly Entry[]): Promise<void> {
  for (let i = 0; i < entries.length; i += BATCH) await postAll(db, entries.slice(i, i + BATCH));
}

/** The ids that orders and slips of the month were given. */
interface Numbers {
  readonly orders: ReadonlyMap<SampleOrder, number>;
  readonly slips: ReadonlyMap<SampleSlip, number>;
}

/** Orders of both kinds, those that were decided taken out of PROCESSING. */
async function addOrders(db: Db, orders: readonly SampleOrder[], ids: readonly number[], reviewer: string) {
  const numbers = new Map<SampleOrder, number>();
  for (const kind of ['deposit', 'withdrawal'] as const) {
    const placed = orders.filter((order) => order.kind === kind);
    const orderIds = await placeOrders(db, kind, placed, ids);
    for (const [place, order] of placed.entries()) numbers.set(order, given(orderIds[place]));
    await decideOrders(db, kind, placed, orderIds, reviewer);
  }
  return numbers;
}

/** Draws of the month, and the slips that were placed on them. */
async function addBets(
  db: Db,
  draws: SampleDraws | undefined,
  slips: readonly SampleSlip[],
  ids: readonly number[],
) {
  if (!draws) return new Map<SampleSlip, number>();
  await addDraws(db, draws);
  const slipIds = await addSlips(db, draws, slips, ids);
  return new Map(slips.map((slip, place) => [slip, given(slipIds[place])]));
}

/** The order number of a movement, and what it is about. */
function toldOf(movement: SampleMovement, { orders, slips }: Numbers, gameName: string | undefined) {
  const { order, slip, changeType, bizOrderNo = null, desc } = movement;
  if (order) return { bizOrderNo: String(orders.get(order)), desc };
  if (!slip) return { bizOrderNo, desc };
  const phase = `第 ${slip.draw.phase} 期`;
  return {
    bizOrderNo: slipOrderNo(given(slips.get(slip))),
    desc: changeType === 'BET' ? `${gameName} ${phase}` : phase,
  };
}

const freezing = (userId: number, cents: number): Entry => ({
  ...{ userId, changeType: 'FREEZE', amount: moneyOf(cents), bizOrderNo: null, desc: null },
});

/** A month of made-up players, moved by the same functions as real money, so that it proves like real money. */
async function addMonth(db: Db, reviewer: string, at: Date, { players, days }: typeof month): Promise<void> {
  const chance = dice(20_250_101);
  const now = new Date(Math.floor(at.getTime() / 1000) * 1000);
  const people = samplePeople(chance, now, players);
  const draws = await sampleDraws(db, chance, { now, days });
  const bookmaker = draws && (await openBook(db, draws));
  const { orders, slips, movements } = sampleMonth(chance, people, { now, days, bookmaker });
  const ids = await addPeople(db, people);
  // Slips keep the agents that there are when they are placed.
  await addAgents(
    db,
    ids,
    people.map(({ realName }) => realName),
    now,
  );
  if (draws) await addHouseRules(db, draws.gameId, now);
  const numbers: Numbers = {
    orders: await addOrders(db, orders, ids, reviewer),
    slips: await addBets(db, draws, slips, ids),
  };
  const entryOf = (movement: SampleMovement): Entry => ({
    ...{ userId: given(ids[movement.person]), changeType: movement.changeType, at: momentOf(movement.at) },
    amount: movement.amount ?? moneyOf(movement.cents),
    ...toldOf(movement, numbers, draws?.gameName),
  });
  await postMovements(db, movements.map(entryOf));
  const waiting = orders.filter(({ kind, decided }) => kind === 'withdrawal' && !decided);
  await postMovements(
    db,
    waiting.map(({ person, cents }) => freezing(given(ids[person]), cents)),
  );
  await sql`analyze player, account, account_history, deposit, withdrawal`.execute(db);
}

/** Fills a platform without players with those of the sample, and with what somebody would have set up for them; once, also when they are gone later. Part of the seed's transaction. */
export async function seedSampleUsers(
  db: Db,
  { adminUsername }: Config,
  now: Date,
  size = month,
): Promise<void> {
  if ((await findSeedValue(db, KEY)) !== undefined) return;
  const { rows } = await sql`select from player limit 1`.execute(db);
  if (rows.length === 0) {
    await addMonth(db, adminUsername, now, size);
    await addNews(db);
  }
  await rememberSeed(db, KEY, 'made');
}
