import { addGame, addGamePreset, type Game, listGamePresets, pageGames } from '#contract/games.ts';
import { FormButton, optionsOf } from '../../kit/form/index.ts';
import { DrillDowns, ListScreen } from '../../kit/list/index.ts';
import { BetTimes } from './BetTimes.tsx';
import { BetStatus, edited, GameActions, Status } from './GameActions.tsx';
import '../../parts/betting-rules/betting-rules.css';

const presets = optionsOf(listGamePresets, { label: 'name', value: 'key' });
const presetFields = [
  { field: 'key', help: '从模板新增', options: presets },
  { field: 'name', placeholder: '留空则用模板的名称' },
] as const;

const added = [...edited, { field: 'phase', placeholder: '留空则从第一期开始' }] as const;

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
      search={['name', 'categoryId', 'betStatus', 'status']}
      columns={[
        { field: 'categoryId', label: '分类', width: 70 },
        { field: 'name', width: 112 },
        { field: 'phase', width: 94 },
        { field: 'openRate', label: '间隔秒数', width: 72 },
        { field: 'stopBetSecond', width: 74 },
        { field: 'timeRanges', render: BetTimes, width: 206 },
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
      rowActions={GameActions}
    />
  );
}
