import type { Db } from '#server/db/database.ts';
import { added } from '#server/db/rows.ts';
import { dayOf } from '#server/platform-days.ts';
import type { DrawRules } from '../draw-plans/draw-rules.ts';
import { generateDay } from '../draw-plans/generate-ahead.ts';
import { chongQingSsc, sscRules } from '../presets/chong-qing-ssc.ts';
import { installPreset } from '../presets/install-preset.ts';
import { numbersFrom, type Preset } from '../presets/preset.ts';
import { localDraw } from '../spiders/collectors/local-draw.ts';

/** Bets on as 重庆时时彩, and drawn around the clock: whoever looks sees a draw within five minutes. */
export const drawingGame: Preset = {
  ...chongQingSsc,
  key: 'sample-five-minutes',
  name: '示例五分彩',
  openRate: 300,
  stopBetSecond: 30,
  timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
  introduce: `演示用的游戏，全天每 5 分钟一期，由系统本地开奖，任何人可以验证。\n${sscRules}`,
};

const drawRules: DrawRules = { count: 5, pool: numbersFrom(0, 9), repeat: true };

/** A game that needs nobody: a local draw promises and draws what is planned. Gives its id; nothing where there is a game of this name. */
export async function installDrawingGame(db: Db, now: Date, timeZone: string): Promise<number | undefined> {
  const { name } = drawingGame;
  const gameId = await installPreset(db, drawingGame, { name, now, timeZone, status: true, betStatus: true });
  // An operator's own game of this name stays as it is.
  if (gameId === undefined) return undefined;
  await added(db, 'spider', {
    gameId,
    name: '本地开奖',
    url: null,
    spiderServiceName: localDraw.name,
    options: JSON.stringify(drawRules),
    remark: '演示数据：没有外部来源，投注前承诺，开奖后可以验证',
    enabled: true,
  });
  return gameId;
}

/**
 * Plans what is left of its first day; the evenings go on from there, since that day is claimed like theirs. To be called once its past is
 * there, so that the newest plans are the newest rows.
 */
export async function planFirstDay(db: Db, gameId: number, now: Date, timeZone: string): Promise<void> {
  await generateDay(db, { gameId, day: dayOf(now.getTime() / 1000, timeZone), now, timeZone });
}
