import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanDrawPlans, generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { addBetTimeRange, updateGamePhase } from '#contract/games.ts';
import { addParamSetting, listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { addDays, dayOf, momentOf } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { generateAhead, generateDay, unplannedGames } from './generate-ahead.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  admin = await server.admin();
});
afterAll(() => server.close());

const ZONE = 'Asia/Shanghai';
const tomorrow = () => addDays(dayOf(Date.now() / 1000, ZONE), 1);
const at = (time: string, day = tomorrow()) => new Date(momentOf(`${day} ${time}`, ZONE) * 1000);
const plansOf = async (gameId: number) =>
  (await admin.call(pageDrawPlans, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];

describe('the evening', () => {
  const ahead = (time: Date) => generateAhead(server.db, time, ZONE);
  const on = async (value: string) => {
    const settings = (await admin.call(listParamSettings, {})).envelope.data ?? [];
    const setting = settings.find(({ key }) => key === 'draw.autoGenerate');
    if (setting) await admin.call(updateParamSetting, { ...setting, value });
    else await admin.call(addParamSetting, { title: '自动', key: 'draw.autoGenerate', value });
  };

  it('makes them later in the evening too, for a game that had no betting time before', async () => {
    await on('true');
    const gameId = await buildGame(server.db, { openRate: 3600, timeRanges: [] });
    const today = dayOf(Date.now() / 1000, ZONE);
    const ofGame = async (time: string) =>
      (await ahead(at(time, today))).filter((each) => each.gameId === gameId);
    expect(await ofGame('20:00:00')).toEqual([]);
    await admin.call(addBetTimeRange, { gameId, start: '09:00:00', end: '12:00:00' });
    expect(await ofGame('20:10:00')).toEqual([{ gameId, day: tomorrow(), made: 3 }]);
    await admin.call(cleanDrawPlans, { gameId });
    expect(await ofGame('20:20:00')).toEqual([]);
  });

  it('goes by a betting time that is being added at that moment', async () => {
    const morning = { start: '09:00:00', end: '12:00:00' };
    const gameId = await buildGame(server.db, { openRate: 3600, timeRanges: [morning] });
    const evening = { gameId, day: tomorrow(), now: new Date(), timeZone: ZONE };
    const [making] = await server.db.transaction().execute(async (tx) => {
      // As whoever adds one: the game first. Of two who wait for a row it is not said which goes on first.
      await sql`select from game where id = ${gameId} for no key update`.execute(tx);
      await sql`insert into bet_time_range ("gameId", start, "end") values (${gameId}, '20:00:00', '22:00:00')`.execute(
        tx,
      );
      const made = server.db.transaction().execute((other) => generateDay(other, evening));
      while ((await waitForLocks(server.db)) < 1);
      return [made] as const;
    });
    expect(await making).toEqual({ gameId, day: tomorrow(), made: 5 });
  });

  it('tells of a day that could not be planned, until it is', async () => {
    await on('true');
    const today = dayOf(Date.now() / 1000, ZONE);
    const name = '未能生成';
    const phaseTime = at('00:00:00', today);
    const gameId = await buildGame(server.db, { openRate: 3600, name, phase: '500', phaseTime });
    const weekday = new Date(`${tomorrow()}T00:00:00Z`).getUTCDay() || 7;
    const others = [1, 2, 3, 4, 5, 6, 7].filter((each) => each !== weekday);
    const range = { start: '09:00:00', end: '12:00:00', weekdays: others };
    const idle = await buildGame(server.db, { openRate: 3600, timeRanges: [range] });
    await sql`insert into draw_record ("gameId", phase, result, "openTime") values (${gameId}, '530', '1', now())`.execute(
      server.db,
    );
    const made = await ahead(at('20:00:00', today));
    expect(made.find((each) => each.gameId === gameId)?.failure).toContain('530');
    const told = async (time: string, day = today) =>
      (await unplannedGames(server.db, at(time, day), ZONE)).filter((each) =>
        [gameId, idle].includes(each.gameId),
      );
    expect(await told('20:14:59')).toEqual([]);
    expect(await told('20:15:00')).toEqual([{ gameId, gameName: name, day: tomorrow() }]);
    await on('false');
    expect(await told('20:15:00')).toEqual([]);
    await on('true');
    await admin.call(updateGamePhase, { id: gameId, phase: '900' });
    const window = { beginDate: `${tomorrow()} 00:00:00`, endDate: `${tomorrow()} 23:59:59` };
    expect((await admin.call(generateDrawPlans, { gameId, ...window })).envelope.success).toBe(true);
    expect(await told('20:15:00')).toEqual([]);
  });

  it('makes tomorrow’s plans once for games that are on, unless it is switched off', async () => {
    const phaseTime = new Date();
    const gameId = await buildGame(server.db, { openRate: 3600, phaseTime });
    const off = await buildGame(server.db, { openRate: 3600, status: false });
    const today = dayOf(Date.now() / 1000, ZONE);
    const evening = at('20:00:00', today);
    expect(await ahead(at('19:59:59', today))).toEqual([]);
    await on('false');
    expect(await ahead(evening)).toEqual([]);
    await on('true');
    const both = await Promise.all([ahead(evening), ahead(evening)]);
    expect(both.flat().filter((each) => each.gameId === gameId)).toEqual([
      { gameId, day: tomorrow(), made: 24 },
    ]);
    expect(await plansOf(gameId)).toHaveLength(24);
    expect(await plansOf(off)).toEqual([]);
    // What an operator clears afterwards stays cleared.
    await sql`delete from draw_plan where "gameId" = ${gameId}`.execute(server.db);
    expect((await ahead(at('21:00:00', today))).filter((each) => each.gameId === gameId)).toEqual([]);
    // An outage over the next evening is made up for in the morning after it.
    const afterNext = addDays(today, 2);
    const late = (await ahead(at('08:00:00', afterNext))).find((each) => each.gameId === gameId);
    expect(late).toEqual({ gameId, day: afterNext, made: 16 });
  });
});
