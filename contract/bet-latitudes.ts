import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, paged, pageOf, text } from './fields.ts';
import { gameId } from './named-fields.ts';

const screen = '/main/game/bet-latitude';

const fields = {
  name: text('投注维度名称', { max: 50 }),
  resultIndex: text('结果位置').refine((value) => /^(\*|[0-9]{1,3}(,[0-9]{1,3})*)$/.test(value), {
    error: '须为 * 或以逗号分隔的位置，如 0,1,2',
  }),
  resultHandlerName: text('结果处理器', { max: 100 }),
};

/**
 * A way to read a result: `resultIndex` picks its positions (`0`, `0,1,2`, `*`), `resultHandlerName` turns them into
 * winning numbers.
 */
export const BetLatitude = z.object({ id: id(), gameId, ...fields });
export type BetLatitude = z.infer<typeof BetLatitude>;

export const pageBetLatitudes = query('POST /game/betLatitude/page', {
  summary: '分页查询投注维度',
  body: 'form',
  input: paged({ gameId }),
  output: pageOf(BetLatitude),
  access: granted(screen),
});

/** The bet latitudes of the game that a play-way category or sub-category belongs to. */
export const listBetLatitudesByPlayWayCategory = query('GET /game/betLatitude/listByPlayWayCategoryId/{id}', {
  summary: '查询玩法分类可用的投注维度',
  body: 'none',
  input: z.object({ id: id('玩法分类') }),
  output: z.array(BetLatitude),
  access: granted(['/main/game/playway-category', '/main/game/playway']),
});

export const addBetLatitude = command('POST /game/betLatitude/add', {
  summary: '新增投注维度',
  body: 'json',
  input: z.object({ gameId, ...fields }),
  output: id(),
  access: granted('/main/game/lottery', 'game:betLatitude:add'),
});

export const updateBetLatitude = command('POST /game/betLatitude/update', {
  summary: '编辑投注维度',
  body: 'json',
  input: z.object({ id: id(), ...fields }),
  output: id(),
  access: granted(screen),
});

export const deleteBetLatitude = command('GET /game/betLatitude/deleteById/{id}', {
  summary: '删除投注维度',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});
