import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, optional, paged, pageOf, sorts, text } from './fields.ts';
import { gameId, number, seenVersion, version } from './named-fields.ts';
import { isBrokenRange, numbersIn } from './number-text.ts';

/** What its calls stand under in the API document. */
export const heading = '游戏号码';

const screen = '/main/game/number';
const desc = text('描述');

/** What a caller says of a number, alone or inside a game. */
export const numberFields = { number, desc: optional(desc) };

/** One of the numbers that can be bet on in a game. */
export const GameNumber = z.object({ id: id(), version, gameId, number, desc: desc.nullable() });
export type GameNumber = z.infer<typeof GameNumber>;

export const pageGameNumbers = query('POST /game/gameNumber/page', {
  rows: 'game_number',
  summary: '分页查询游戏号码',
  body: 'form',
  input: paged({ gameId, sort: sorts('number', 'desc') }),
  output: pageOf(GameNumber),
  access: granted(screen),
});

/** The numbers of one game, by the game's id. */
export const listGameNumbersByGame = query('GET /game/gameNumber/listByGameId/{id}', {
  summary: '查询游戏的号码',
  noun: '游戏的号码',
  body: 'none',
  input: z.object({ id: gameId }),
  output: z.array(GameNumber),
  access: granted(['/main/game/playway', '/main/game/playway-category']),
});

export const addGameNumber = command('POST /game/gameNumber/add', {
  rows: 'game_number',
  effect: 'add',
  summary: '新增号码',
  body: 'json',
  input: z.object({ gameId, ...numberFields }),
  output: id(),
  access: granted('/main/game/lottery', 'game:gameNumber:add'),
  imports: true,
});

const MOST_NUMBERS = 1000;

/** Numbers as a list, or as they are typed: `01-49`, or pasted one below the other. */
const numbers = z
  .preprocess(
    (raw: string | readonly string[]): unknown => (typeof raw === 'string' ? numbersIn(raw) : raw),
    z
      .array(number, { error: '须为号码列表' })
      .min(1, { error: '不能为空' })
      .max(MOST_NUMBERS, { error: `不能超过 ${MOST_NUMBERS} 个` })
      .superRefine((list, context) => {
        const broken = list.find(isBrokenRange);
        if (broken) context.addIssue({ code: 'custom', message: `区间 ${broken} 无法识别` });
        const seen = new Set<string>();
        const twice = list.find((each) => seen.size === seen.add(each).size);
        if (twice) context.addIssue({ code: 'custom', message: ` ${twice} 出现了两次` });
      }),
  )
  .meta({ title: '号码', kind: 'longText' });

/** Adds many numbers to a game in this order; all of them or none. The answer is how many. */
export const addGameNumbers = command('POST /game/gameNumber/addMany', {
  effect: 'add',
  summary: '批量新增号码',
  body: 'json',
  input: z.object({ gameId, numbers, desc: optional(desc) }),
  output: z.int().min(1),
  access: granted('/main/game/lottery', 'game:gameNumber:add'),
});

export const updateGameNumber = command('POST /game/gameNumber/update', {
  effect: 'update',
  summary: '编辑号码',
  body: 'json',
  input: z.object({ id: id(), version: seenVersion, ...numberFields }),
  output: id(),
  access: granted(screen, 'game:gameNumber:update'),
  edits: GameNumber,
  approval: { when: 'returnAboveOne', by: 'approval:release:odds' },
});

/** Guarded by the code that deletes games, as the specification has it. */
export const deleteGameNumber = command('GET /game/gameNumber/deleteById/{id}', {
  effect: 'delete',
  summary: '删除号码',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen, 'game:lottery:delete'),
});
