import { addBetLatitude } from '#contract/bet-latitudes.ts';
import { wordOf } from '#contract/fields.ts';
import { addGameNumbers } from '#contract/game-numbers.ts';
import {
  addBetTimeRange,
  changeGameBetStatus,
  changeGameStatus,
  deleteGame,
  Game,
  updateGame,
  updateGamePhase,
} from '#contract/games.ts';
import { numbersIn } from '#contract/number-text.ts';
import { addPlayWayCategory } from '#contract/play-way-categories.ts';
import { useMay } from '../../kit/call/index.ts';
import { FormButton, MenuButton, Toggle } from '../../kit/form/index.ts';
import { Button, fetched, openDialog } from '../../kit/overlay/index.ts';
import { latitudeFields } from '../../parts/betting-rules/latitude-fields.tsx';
import { DrawPlanMenu } from './DrawPlanMenu.tsx';
import { PhaseNow } from './PhaseNow.tsx';
import { ResultRuleInput } from './ResultRuleInput.tsx';
import '../../parts/betting-rules/betting-rules.css';

const DeleteGameDialog = fetched(() => import('./DeleteGameDialog.tsx').then((m) => m.DeleteGameDialog));

const betTimeFields = [
  'start',
  'end',
  { field: 'openRate', help: '开奖间隔', placeholder: '留空则用游戏的开奖间隔' },
  { field: 'weekdays', help: '投注时间', placeholder: '开始的日子；留空则每天' },
] as const;

export const edited = [
  'categoryId',
  'name',
  { field: 'openRate', help: '开奖间隔' },
  { field: 'stopBetSecond', help: '封盘秒数' },
  { field: 'phaseRule', help: '期号' },
  'introduce',
  { field: 'resultRule', help: '每部分开出', input: ResultRuleInput },
  { field: 'agreeSources', help: '等待一致', placeholder: '多少个来源一致才算开奖，默认 1' },
] as const;
const numberFields = [
  {
    field: 'numbers',
    placeholder: '如 01-49，或粘贴一列号码',
    hint: ({ numbers }: Readonly<Record<string, unknown>>) =>
      `共 ${numbersIn(String(numbers ?? '')).length} 个号码`,
  },
  'desc',
] as const;

/** Begins empty: a phase that stood there would be set back to by whoever sends it some draws later. */
const phaseFields = (game: Game) =>
  [
    { field: 'id', label: '当前期号', input: () => <PhaseNow game={game} /> },
    { field: 'phase', label: '新的期号', placeholder: '当前这一期应有的期号' },
  ] as const;

/** What an edit sends of a game: not the phase, which moves on by itself while the form is open. */
const editable = ({
  id,
  version,
  categoryId,
  name,
  openRate,
  stopBetSecond,
  phaseRule,
  introduce,
  resultRule,
  agreeSources,
}: Game) => ({
  ...{
    id,
    version,
    categoryId,
    name,
    openRate,
    stopBetSecond,
    phaseRule,
    introduce,
    resultRule,
    agreeSources,
  },
  ...{ numbers: null, timeRanges: null },
});

/** Whether a game runs, and whether bets are taken: each changed by a click. */
export const Status = ({ id, name, status }: Game) => (
  <Toggle
    endpoint={changeGameStatus}
    input={{ id, status: !status }}
    state={wordOf(Game.shape.status, String(status))}
    tone={status ? 'good' : 'idle'}
    label={`${status ? '停用' : '启用'}游戏“${name}”`}
    bulk={status ? '停用' : '启用'}
  />
);

export const BetStatus = ({ id, name, betStatus }: Game) => (
  <Toggle
    endpoint={changeGameBetStatus}
    input={{ id, betStatus: !betStatus }}
    state={wordOf(Game.shape.betStatus, String(betStatus))}
    tone={betStatus ? 'brand' : 'idle'}
    label={`${betStatus ? '关闭' : '开放'}“${name}”的投注`}
    bulk={betStatus ? '关闭投注' : '开放投注'}
  />
);

function DeleteGame({ game }: { readonly game: Game }) {
  if (!useMay(deleteGame)) return null;
  return (
    <Button tone="danger" onClick={() => openDialog(<DeleteGameDialog game={game} />)}>
      删除
    </Button>
  );
}

/** All that can be done with a game. */
export const GameActions = (game: Game) => (
  <>
    <DrawPlanMenu game={game} />
    <MenuButton label="更多">
      <FormButton endpoint={addBetTimeRange} fields={betTimeFields} initial={{ gameId: game.id }}>
        新增投注时间
      </FormButton>
      <FormButton
        endpoint={addBetLatitude}
        fields={latitudeFields(game.id)}
        initial={{ gameId: game.id }}
        width={720}
      >
        新增投注维度
      </FormButton>
      <FormButton
        endpoint={addPlayWayCategory}
        fields={['name', 'countOfRows', 'hideName']}
        initial={{ gameId: game.id }}
      >
        新增玩法分类
      </FormButton>
      <FormButton endpoint={addGameNumbers} fields={numberFields} initial={{ gameId: game.id }}>
        新增号码
      </FormButton>
      <FormButton endpoint={updateGamePhase} fields={phaseFields(game)} initial={{ id: game.id }}>
        更新期号
      </FormButton>
    </MenuButton>
    <FormButton endpoint={updateGame} fields={edited} initial={editable(game)} width={760}>
      编辑
    </FormButton>
    <DeleteGame game={game} />
  </>
);
