import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { listGames, pageGames, updateGamePhase } from '#contract/games.ts';
import { addDays, dayOf, momentOf } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { currentPhase } from './current-phase.ts';

const ZONE = 'Asia/Shanghai';
const at = (wall: string) => ({ now: new Date(momentOf(wall, ZONE) * 1000), timeZone: ZONE });

describe('the phase of a game', () => {
  const game = { phase: '00998', phaseRule: 'RUNNING' as const, openRate: 600 };
  const anchored = { ...game, phaseTime: momentOf('2026-05-01 10:05:00', ZONE) };
  const day = [{ id: 1, gameId: 1, start: '10:00:00', end: '11:00:00', openRate: null }];
  const over = [{ id: 1, gameId: 1, start: '23:30:00', end: '00:30:00', openRate: null }];

  it.each([
    ['of the slot that contains now', '2026-05-01 10:09:59', '00998'],
    ['of the next one from its first second on', '2026-05-01 10:10:00', '00999'],
    ['with one digit more when they run out of zeros', '2026-05-01 10:25:00', '01000'],
    ['of the last slot, after it', '2026-05-01 15:00:00', '01003'],
    ['of yesterday’s last slot, in the morning', '2026-05-02 09:59:59', '01003'],
    ['of the first slot of the next day', '2026-05-02 10:00:00', '01004'],
    ['counted backwards too', '2026-04-30 10:55:00', '00997'],
  ])('is that %s', (_what, wall, phase) => {
    expect(currentPhase(anchored, day, at(wall))).toBe(phase);
  });

  it('runs on over midnight', () => {
    const late = { ...game, phaseTime: momentOf('2026-05-01 23:55:00', ZONE) };
    expect(currentPhase(late, over, at('2026-05-02 00:05:00'))).toBe('00999');
    expect(currentPhase(late, over, at('2026-05-02 12:00:00'))).toBe('01001');
  });
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('what the screens show', () => {
  const shown = async (id: number) => {
    const admin = await server.admin();
    const page = (await admin.call(pageGames, { pageSize: 9999 })).envelope.data?.data ?? [];
    const list = (await admin.call(listGames, {})).envelope.data ?? [];
    return [page, list].map((games) => games.find((game) => game.id === id)?.phase);
  };
  const seconds = () => Date.now() / 1000;

  it('moves on with the slots, in lists as in pages', async () => {
    const hoursAgo = new Date((Math.floor(seconds() / 3_600) - 7) * 3_600_000);
    const id = await buildGame(server.db, { openRate: 3_600, phase: '00998', phaseTime: hoursAgo });
    const passed = () => Math.floor((Date.now() - hoursAgo.getTime()) / 3_600_000);
    const [before, phases, after] = [passed(), await shown(id), passed()];
    const possible = [before, after].map((n) => String(998 + n).padStart(5, '0'));
    expect(possible).toContain(phases[0]);
    expect(possible).toContain(phases[1]);
  });

  it('is what “update phase” set, and the plans of tomorrow are counted from there', async () => {
    const id = await buildGame(server.db, { openRate: 3_600, phase: '7' });
    const admin = await server.admin();
    const hour = Math.floor(seconds() / 3_600);
    await admin.call(updateGamePhase, { id, phase: '00500' });
    if (Math.floor(seconds() / 3_600) === hour) expect(await shown(id)).toEqual(['00500', '00500']);
    const day = addDays(dayOf(seconds(), ZONE), 1);
    await admin.call(generateDrawPlans, {
      gameId: id,
      beginDate: `${day} 00:00:00`,
      endDate: `${day} 23:59:59`,
    });
    const plans = (await admin.call(pageDrawPlans, { gameId: id, pageSize: 9999 })).envelope.data?.data ?? [];
    const slots = momentOf(`${day} 00:00:00`, ZONE) / 3_600 - hour;
    expect(plans.at(-1)?.phase).toBe(String(500 + slots).padStart(5, '0'));
  });
});
