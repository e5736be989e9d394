import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { pageBetLatitudes, updateBetLatitude } from '#contract/bet-latitudes.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { deleteGameNumber, pageGameNumbers } from '#contract/game-numbers.ts';
import { listGames } from '#contract/games.ts';
import { addOdds, deleteOdds } from '#contract/odds.ts';
import { type PlayWay, pagePlayWays, previewPlayWay, updatePlayWay } from '#contract/play-ways.ts';
import { migrate } from '#server/db/migrate.ts';
import { letServerWork } from '#server/db/server-rights.ts';
import {
  type FormerPlayWay,
  formerDraws,
  formerPlayWays,
  type Generation,
  layFormerGames,
} from '#server/testing/former-presets.ts';
import { filesAfter, landings, lay } from '#server/testing/past-database.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { testDatabase } from '#server/testing/test-database.ts';
import { startTestServer } from '#server/testing/test-server.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import { lineOdds, readLine } from '../bets/line.ts';
import { lineRulesOf } from '../bets/line-rules.ts';
import { playOf } from '../bets/play.ts';
import { seed } from '../seed.ts';

/** The last file that each of these programs had. */
const lastFiles: Readonly<Record<Generation, string>> = {
  first: '0061-draws-recounted.sql',
  second: '0075-job-queue-12.sql',
  third: '0118-who-locked.sql',
  fourth: '0180-selections.sql',
};

const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const work of cleanup.splice(0).toReversed()) await work();
});

/** A server on the database that a program of the past left behind, with its games. */
async function upgraded(generation: Generation) {
  const database = await testDatabase({ empty: true });
  cleanup.push(database.drop);
  const last = landings.findLastIndex(({ name }) => name === lastFiles[generation]);
  await lay(database.db, filesAfter(last + 1));
  const ids = await layFormerGames(database.db, generation);
  await migrate(database.db);
  await letServerWork(database.owner, new URL(database.url).username);
  await seed(database.db, testConfig());
  const server = await startTestServer({}, database);
  cleanup.push(server.close);
  return { ids, admin: await server.admin(), db: database.db };
}

const all = async (admin: TestClient, gameId: number): Promise<PlayWay[]> =>
  (await admin.call(pagePlayWays, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];

const said = ({ told }: FormerPlayWay, draw: number) => ({
  wins: told[draw]?.[0].toSorted() ?? [],
  pushes: told[draw]?.[1].toSorted() ?? [],
});

/** What is said today of bets on every number of a play way, one line each, by the rows as they are read back. */
function judged(
  playWay: PlayWay,
  { at, handler, options }: FormerPlayWay,
  draw: { date: string; result: string },
) {
  const { selection, oddsFrom, odds: rows } = playWay;
  const latitude = {
    ...{ resultIndex: at, resultHandlerName: handler },
    handlerOptions: options && JSON.stringify(options),
  };
  const play = playOf({ latitude, selection, oddsFrom, rows, resultRule: null });
  const judge = judgeOfDraw({ result: draw.result, drawTime: `${draw.date} 21:30:00` });
  const numbers = Map.groupBy(rows, ({ number, odds }) => {
    const line = readLine(play, number);
    expect([line.units, lineOdds(play, line.selection)]).toEqual([1, odds]);
    const rules = lineRulesOf(play, line.selection, { id: 1, name: playWay.name });
    const { status, payout, refund } = judge({ rules, selection: number, unitStake: '1' });
    expect([payout, refund]).toEqual([status === 'WON' ? odds : '0', status === 'PUSHED' ? '1' : '0']);
    return status;
  });
  const those = (status: 'WON' | 'PUSHED') =>
    (numbers.get(status) ?? []).map(({ number }) => number).toSorted();
  return { wins: those('WON'), pushes: those('PUSHED') };
}

describe.each(Object.keys(lastFiles) as Generation[])('games of presets of the %s kind', (generation) => {
  it('are there after the upgrade, and every bet is judged as it was', async () => {
    const { ids, admin } = await upgraded(generation);
    const former = formerPlayWays.filter(({ from }) => from.includes(generation));
    expect(new Set(former.map(({ game }) => game)).size).toBe(ids.size);
    for (const [game, gameId] of ids) {
      const playWays = new Map((await all(admin, gameId)).map((playWay) => [playWay.name, playWay]));
      const { draws = [] } = formerDraws.find((each) => each.game === game) ?? {};
      const records = (await admin.call(pageDrawRecords, { gameId, pageSize: 99 })).envelope.data?.data ?? [];
      for (const own of former.filter((each) => each.game === game)) {
        const playWay = playWays.get(own.name);
        if (!playWay) throw new Error(`${game} ${own.name}`);
        expect(playWay).toMatchObject({ selection: null, oddsFrom: 'NUMBER', outcomes: [] });
        expect(playWay.odds).toHaveLength(own.odds.flatMap(([numbers]) => numbers).length);
        for (const [place, draw] of draws.entries()) {
          const wanted = said(own, place);
          expect(judged(playWay, own, draw), `${game} ${own.name} ${draw.result}`).toEqual(wanted);
          const shown = records
            .find(({ phase }) => phase === draw.phase)
            ?.winners.find(({ name }) => name === own.name);
          expect(shown?.numbers.toSorted(), `${game} ${own.name} ${draw.result}`).toEqual(wanted.wins);
          expect(shown?.pushes.toSorted()).toEqual(wanted.pushes);
        }
      }
    }
  });
});

it('games of former presets are edited as before, and may be told what a result of theirs is', async () => {
  const { ids, admin, db } = await upgraded('third');
  const gameId = ids.get('gd11x5') ?? 0;
  const named = async (name: string) => (await all(admin, gameId)).find((each) => each.name === name);
  const { id = 0, betLatitudeId = 0, odds = [] } = (await named('任选五')) ?? {};
  expect(odds).toHaveLength(462);
  const [first] = odds;
  const bet = { id, name: '任选五', betLatitudeId, bet: first?.number ?? '', unitStake: '2' };
  const tried = (await admin.call(previewPlayWay, bet)).envelope.data;
  expect(tried).toMatchObject({ units: 1, returnRate: null });
  expect(tried?.draws.every(({ problem }) => problem === null)).toBe(true);
  expect((await admin.call(updatePlayWay, { id, name: '任选五中五', betLatitudeId })).envelope.success).toBe(
    true,
  );
  expect((await named('任选五中五'))?.odds).toHaveLength(462);
  const { data: latitudes } = (await admin.call(pageBetLatitudes, { gameId, pageSize: 99 })).envelope;
  const {
    version: _,
    gameId: __,
    handlerOptions,
    ...latitude
  } = latitudes?.data.find((each) => each.id === betLatitudeId) ?? expect.fail('no latitude');
  const renamed = { ...latitude, name: '改名', handlerOptions: handlerOptions ?? undefined };
  expect((await admin.call(updateBetLatitude, renamed)).envelope.msg).toBe('修改成功');
  // A combination that has odds cannot go; without them it can, and come back.
  const numbers = (await admin.call(pageGameNumbers, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
  const number = numbers.find((each) => each.number === first?.number);
  expect((await admin.call(deleteGameNumber, { id: number?.id ?? 0 })).envelope.success).toBe(false);
  expect((await admin.call(deleteOdds, { id: first?.id ?? 0 })).envelope.success).toBe(true);
  const again = { playWayId: id, numberIds: [number?.id ?? 0], odds: '400' };
  expect((await admin.call(addOdds, again)).envelope.success).toBe(true);
  const games = (await admin.call(listGames, {})).envelope.data ?? [];
  expect(games.find((game) => game.id === gameId)?.resultRule).toBeNull();
  const part = { count: 5, repeat: false, ordered: true };
  const of = Array.from({ length: 11 }, (_each, place) => String(place + 1).padStart(2, '0'));
  await sql`update game set "resultRule" = ${JSON.stringify({ parts: [{ ...part, of }] })}::jsonb where id = ${gameId}`.execute(
    db,
  );
  // One of 462 at 400 is the best bet of them.
  expect((await named('任选五中五'))?.returnRate).toBe('0.8659');
});
