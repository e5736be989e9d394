import fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { reportGroup } from '#contract/reports.ts';
import type { Db } from '#server/db/database.ts';
import { correctRecord } from '#server/features/draw-records/draw-record-store.ts';
import { closeDay, countRebates, holdDay } from '#server/features/reports/closed-days.ts';
import { foldReport } from '#server/features/reports/fold-report.ts';
import { pageReport } from '#server/features/reports/report-store.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { beginUnvoid, beginVoid } from '#server/features/settlements/voids.ts';
import { addDays } from '#server/platform-days.ts';
import type { bruteReport } from './brute-report.ts';
import { type BuiltRules, buildBettors, buildSlips, playWays, recordResult } from './build-slips.ts';
import { buildPhases, type World, whole } from './report-world.ts';

const selections: Readonly<Record<BuiltRules, readonly string[]>> = {
  first: ['9', '1', '5'],
  second: ['3', '4'],
  size: ['大', '小'],
  dragon: ['龙', '虎'],
  broken: ['1'],
};
const results = ['9,3,5,5,5', '7,4,5,5,5', '1,1,1,1,1', '5,3,1,1,1'];
const chains: readonly (readonly number[])[] = [[], [11], [12], [13, 11]];
const by = { operatorId: 1, userName: 'admin', reason: '随机测试' };

const pick = <T>(all: readonly T[], dice: number): T | undefined => all[dice % Math.max(1, all.length)];

/** Who has enough for some slips; all of them get more where nobody has. */
async function wealthy({ db, users }: World): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    select "userId" from account where "userId" = any(${[...users]}::bigint[]) and "availableAmount" > 500 order by 1`.execute(
    db,
  );
  if (rows.length > 0) return rows.map(({ userId }) => userId);
  await sql`
    select from unnest(${[...users]}::bigint[]) as u (id),
      post_entries(array[u.id], array['MANUAL_ADDITION'], array[5000.00], array[null::text], array[null::text])`.execute(
    db,
  );
  return [...users];
}

async function place(world: World, dice: number): Promise<void> {
  const { db, phases } = world;
  const users = await wealthy(world);
  const phase = pick(phases, dice);
  if (!phase) return;
  const slips = [0, 1, 2].map((place) => {
    const roll = dice * 7 + place * 13;
    const lines = [0, 1, 2].slice(0, 1 + (roll % 3)).map((line) => {
      const rules = pick(phase.rules, roll + line) ?? 'first';
      return {
        rules,
        selection: pick(selections[rules], roll + line) ?? '9',
        unitStake: ['2', '1.0001', '37.5'][(roll + line) % 3] ?? '2',
      };
    });
    const chain = pick(chains, roll) ?? [];
    return { userId: pick(users, roll) ?? 0, agents: chain, testAccount: roll % 9 === 0, lines };
  });
  await buildSlips(db, phase, slips);
}

async function decide({ db, phases }: World, dice: number): Promise<void> {
  const phase = pick(
    phases.filter((each) => each.phase !== 'open'),
    dice,
  );
  const result = pick(results, dice >> 3) ?? '';
  if (!phase || phase.record?.result === result) return;
  if (phase.record)
    await db.transaction().execute((tx) =>
      correctRecord(tx, {
        ...{ recordId: phase.record?.id ?? 0, oldResult: phase.record?.result ?? '', newResult: result },
        ...{ source: '另一来源', ...by },
      }),
    );
  phase.record = { id: phase.record?.id ?? (await recordResult(db, phase, result)), result };
  await settleDue(db);
}

async function voidOrBack({ db, phases }: World, dice: number): Promise<void> {
  const phase = pick(
    phases.filter((each) => each.phase !== 'open'),
    dice,
  );
  if (!phase) return;
  const { gameId, void: voided } = phase;
  const playWayId = dice % 2 === 0 ? undefined : playWays[phase.rules[0] ?? 'first'];
  phase.void = await db
    .transaction()
    .execute(async (tx) => {
      if (voided !== undefined) await beginUnvoid(tx, voided, by);
      return voided === undefined
        ? (await beginVoid(tx, { gameId, phase: phase.phase, ...(playWayId ? { playWayId } : {}) }, by)).id
        : undefined;
    })
    .catch((error: unknown) => {
      // Nobody has bet there yet, or all is void already.
      if (error instanceof Error && error.name === 'Refusal') return voided;
      throw error;
    });
  await settleDue(db);
}

async function cancel({ db, phases }: World, dice: number): Promise<void> {
  const open = phases.filter(({ phase }) => phase === 'open').map(({ gameId }) => gameId);
  const { rows } = await sql<{ id: number }>`
    select id from slip where "gameId" = any(${open}::bigint[]) and phase = 'open' and status = 'PENDING' order by id`.execute(
    db,
  );
  const slip = pick(rows, dice);
  if (slip) await sql`select cancel_slip(${slip.id}, 'admin', '随机测试')`.execute(db);
}

/** Takes all that a player has, so that a later correction is owed. */
async function drain({ db, users }: World, dice: number): Promise<void> {
  await sql`
    select from account a, post_entries(array[a."userId"], array['MANUAL_DEDUCTION'], array[a."availableAmount"], array[null::text], array[null::text])
    where a."userId" = ${pick(users, dice) ?? 0} and a."availableAmount" > 0`.execute(db);
}

async function writeOff({ db, users, model, today }: World, dice: number): Promise<void> {
  const { rows } = await sql<{ id: number; userId: number; debt: string; agents: { id: number }[] }>`
    select a.id, a."userId", a.debt, s.agents from account a, lateral (
      select split_part(substr(d."bizOrderNo", 2), '/', 1)::bigint as slip from account_debt d
      where d."userId" = a."userId" and d.kind = 'OWED' order by d.id desc limit 1) as last join slip s on s.id = last.slip
    where a.debt > 0 and not s."testAccount" and a."userId" = any(${users}::bigint[]) order by a.id`.execute(
    db,
  );
  const owing = pick(rows, dice);
  if (!owing) return;
  const { id, userId, debt } = owing;
  await sql`select from write_off_debt(${id}, ${debt}::numeric)`.execute(db);
  const of = { userId, gameId: -1, playWayId: -1, agents: owing.agents.map((agent) => agent.id) };
  model.count({ ...of, day: today, payout: debt, writtenOff: debt });
}

async function rebate({ db, phases, users, model, today }: World, dice: number): Promise<void> {
  const day = pick(model.days(), dice) ?? today;
  const { gameId, rules } = pick(phases, dice) ?? { gameId: 0, rules: [] };
  const agents = pick(chains, dice) ?? [];
  const userId = pick(users, dice) ?? 0;
  const isOfGame = dice % 3 > 0;
  const paid = {
    userId,
    gameId: isOfGame ? gameId : null,
    playWayId: isOfGame ? playWays[rules[0] ?? 'first'] : null,
    amount: '0.3751',
  };
  await db
    .transaction()
    .execute((tx) => countRebates(tx, day, [{ ...paid, agents: agents.map((id) => ({ id })) }]));
  const counts = model.isClosed(day) ? today : day;
  model.count({
    userId,
    gameId: paid.gameId ?? -1,
    playWayId: paid.playWayId ?? -1,
    agents,
    day: counts,
    rebate: paid.amount,
  });
}

async function close({ db, model, today, closed }: World, dice: number): Promise<void> {
  const day = pick(
    model.days().filter((each) => each < today && !model.isClosed(each)),
    dice,
  );
  if (day === undefined) return;
  await db.transaction().execute(async (tx) => {
    await holdDay(tx, day);
    await closeDay(tx, day);
  });
  model.close(day);
  closed.set(day, await pageReport(db, whole('USER', { range: [day, day] })));
}

const acts = {
  place,
  again: place,
  decide,
  voidOrBack,
  cancel,
  drain,
  writeOff,
  rebate,
  close,
  fold: ({ db }: World) => foldReport(db),
};
type Act = keyof typeof acts;
const names: readonly Act[] = [
  'place',
  'again',
  'decide',
  'voidOrBack',
  'cancel',
  'drain',
  'writeOff',
  'rebate',
  'close',
  'fold',
];

/** Every grouping with every filter, or one in so many of them, against what was seen. */
async function compare(
  { db, model, phases, users, today }: World,
  from: string,
  oneIn: number,
): Promise<void> {
  let turn = Date.parse(today) / 86_400_000 - Date.parse(from) / 86_400_000;
  const ranges = [
    undefined,
    [from, today],
    [today, '9999-12-31'],
    [addDays(from, 1), addDays(from, 2)],
  ] as const;
  for (const groupBy of reportGroup.options)
    for (const [place, range] of ranges.entries())
      for (const filter of [
        {},
        { gameId: phases[place * 2]?.gameId },
        { userId: users[place] },
        { agentId: [11, 12, 13, 11][place] },
        { gameId: phases[0]?.gameId, agentId: 11 },
        { gameId: phases[7]?.gameId, userId: users[0] },
        { playWayId: [playWays.first, playWays.second, playWays.size, playWays.first][place] },
      ]) {
        if (turn++ % oneIn > 0) continue;
        const input = {
          ...whole(
            groupBy,
            Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
          ),
          ...(range ? { range: [range[0], range[1]] as [string, string] } : {}),
        };
        const answer = await pageReport(db, input);
        const wanted = model.told(input);
        const told = new Map(answer.data.map(({ key, name: _, ...figures }) => [key, figures]));
        const isThere = ([, figures]: [string, (typeof answer)['totals']]) =>
          Object.entries(figures).some(([, value]) => Number(value) !== 0);
        expect({ input, rows: Object.fromEntries([...told].filter(isThere)), totals: answer.totals }).toEqual(
          {
            ...{ input, rows: Object.fromEntries([...wanted.rows].filter(isThere)) },
            totals: wanted.totals,
          },
        );
        expect(answer.totalCount).toBe(answer.data.length);
      }
}

export const reportActs = fc.array(fc.record({ act: fc.constantFrom(...names), dice: fc.nat(1_000_000) }), {
  minLength: 10,
  maxLength: 24,
});

/** Does acts in a world of its own, `daysBack` days ago, and compares every report with what was seen; closed days after each of them. */
export async function tryReports(
  db: Db,
  all: readonly { readonly act: Act; readonly dice: number }[],
  daysBack: number,
  model: ReturnType<typeof bruteReport>,
  { oneIn = 1 } = {},
): Promise<void> {
  const { rows } = await sql<{ today: string }>`select report_day(clock_timestamp())::text as today`.execute(
    db,
  );
  const today = rows[0]?.today ?? '';
  const users = await buildBettors(db, 4);
  const world: World = {
    db,
    model,
    phases: await buildPhases(db, daysBack),
    users,
    today,
    closed: new Map(),
  };
  for (const { act, dice } of all) {
    await acts[act](world, dice);
    await model.look(db, today);
    for (const [day, then] of world.closed)
      expect(await pageReport(db, whole('USER', { range: [day, day] }))).toEqual(then);
  }
  await compare(world, addDays(today, -daysBack - 4), oneIn);
}
