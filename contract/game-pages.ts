import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { counted, Game } from './games.ts';
import { gameId } from './named-fields.ts';
import { CurrentPhase } from './platform-catalogue.ts';

export const heading = '游戏详情';

/**
 * What stands above a game's lists: its rules and schedule, the phase that takes bets now, what waits for a result and how its sources are.
 * Nothing of what was bet, so that whoever enters results may see it.
 */
export const GamePage = z.object({
  game: Game,
  current: CurrentPhase,
  plans: z.object({ opening: counted('开奖中'), late: counted('结果逾期') }).meta({ title: '开奖计划' }),
  sources: z
    .object({ enabled: counted('已启用的采集'), failing: counted('失败的采集') })
    .meta({ title: '开奖采集' }),
});
export type GamePage = z.infer<typeof GamePage>;

export const getGamePage = query('POST /lotteryGame/page/get', {
  summary: '查询游戏详情',
  body: 'form',
  input: z.object({ id: gameId }),
  output: GamePage,
  access: granted('/main/game/game-page'),
});
