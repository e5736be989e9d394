import { lazy } from 'react';
import { addBetLatitude } from '#contract/bet-latitudes.ts';
import { addGameNumbers } from '#contract/game-numbers.ts';
import {
  addBetTimeRange,
  addGame,
  addGamePreset,
  changeGameBetStatus,
  changeGameStatus,
  deleteGame,
  type Game,
  listGamePresets,
  pageGames,
  updateGame,
  updateGamePhase,
} from '#contract/games.ts';
import { numbersIn } from '#contract/number-text.ts';
import { addPlayWayCategory } from '#contract/play-way-categories.ts';
import { useMay } from '../../kit/call/index.ts';
import { FormButton, MenuButton, optionsOf, Toggle } from '../../kit/form/index.ts';
import { DrillDowns, ListScreen } from '../../kit/list/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { latitudeFields } from '../../parts/betting-rules/latitude-fields.tsx';
import { BetTimes } from './BetTimes.tsx';
import { DrawPlanMenu } from './DrawPlanMenu.tsx';
import { ResultRuleInput } from './ResultRuleInput.tsx';
import '../../parts/betting-rules/betting-rules.css';

const DeleteGameDialog = lazy(() =>
  import('./DeleteGameDialog.tsx').then((m) => ({ default: m.DeleteGameDialog })),
);

const betTimeFields = [
  'start',
  'end',
  { field: 'openRate', help: '开奖间隔', placeholder: '留空则用游戏的开奖间隔' },
  { field: 'weekdays', help: '投注时间', placeholder: '开始的日子；留空则每天' },
] as const;

const presets = optionsOf(listGamePresets, { label: 'name', value: 'key' });
const presetFields = [
  { field: 'key', help: '从模板新增', options: presets },
  { field: 'name', placeholder: '留空则用模板的名称' },
] as const;

const edited = [
  'categoryId',
  'name',
  { field: 'openRate', help: '开奖间隔' },
  { field: 'stopBetSecond', help: '封盘秒数' },
  { field: 'phaseRule', help: '期号' },
  'introduce',
  { field: 'resultRule', help: '每部分开出', input: ResultRuleInput },
  { field: 'agreeSources', help: '等待一致', placeholder: '多少个来源一致才算开奖，默认 1' },
] as const;
const added = [...edited, { field: 'phase', placeholder: '留空则从第一期开始' }] as const;

const numberFields = [
  {
    field: 'numbers',
    placeholder: '如 01-49，或粘贴一列号码',
    hint: ({ numbers }: Readonly<Record<string, unknown>>) =>
      `共 ${numbersIn(String(numbers ?? '')).length} 个号码`,
  },
  'desc',
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

const Status = ({ id, name, status }: Game) => (
  <Toggle
    endpoint={changeGameStatus}
    input={{ id, status: !status }}
    state={status ? '启用' : '未启用'}
    tone={status ? 'good' : 'idle'}
    label={`${status ? '停用' : '启用'}游戏“${name}”`}
    bulk={status ? '停用' : '启用'}
  />
);

const BetStatus = ({ id, name, betStatus }: Game) => (
  <Toggle
    endpoint={changeGameBetStatus}
    input={{ id, betStatus: !betStatus }}
    state={betStatus ? '可投注' : '未开启'}
    tone={betStatus ? 'brand' : 'idle'}
    label={`${betStatus ? '关闭' : '开启'}“${name}”的投注`}
    bulk={betStatus ? '关闭投注' : '开启投注'}
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

const actions = (game: Game) => (
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
      <FormButton endpoint={updateGamePhase} fields={['phase']} initial={{ id: game.id, phase: game.phase }}>
        更新期号
      </FormButton>
    </MenuButton>
    <FormButton endpoint={updateGame} fields={edited} initial={editable(game)} width={760}>
      编辑
    </FormButton>
    <DeleteGame game={game} />
  </>
);

/** A game's rules, and the ways to what hangs from it. */
const Detail = ({ id, introduce }: Game) => (
  <>
    <div className="game-rules">{introduce ?? '没有规则说明'}</div>
    <nav className="game-parts" aria-label="游戏的内容">
      <DrillDowns noun="game" id={id} />
    </nav>
  </>
);

/** Lottery games: schedule, phase, switches, and the way to all that hangs from them. */
export function GameScreen() {
  return (
    <ListScreen
      endpoint={pageGames}
      search={['name', 'betStatus', 'status']}
      columns={[
        { field: 'categoryId', label: '分类', width: 70 },
        { field: 'name', width: 112 },
        { field: 'phase', width: 102 },
        { field: 'openRate', label: '间隔(秒)', width: 72 },
        { field: 'stopBetSecond', label: '封盘(秒)', width: 74 },
        { field: 'timeRanges', render: BetTimes, width: 198 },
        { field: 'status', render: Status, width: 76 },
        { field: 'betStatus', render: BetStatus, width: 76 },
      ]}
      expand={Detail}
      toolbar={
        <>
          <FormButton endpoint={addGame} fields={added} initial={{ phaseRule: 'RUNNING' }} width={760}>
            新增
          </FormButton>
          <FormButton endpoint={addGamePreset} fields={presetFields}>
            从模板新增
          </FormButton>
        </>
      }
      rowActions={actions}
    />
  );
}
