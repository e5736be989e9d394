import {
  addBetLimit,
  type BetLimit,
  deleteBetLimit,
  pageBetLimits,
  updateBetLimit,
} from '#contract/bet-limits.ts';
import { DeleteButton, FormButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';

const kinds = [
  ...(['minStake', 'maxStake', 'maxLineStake', 'maxUserStake', 'maxNumberPayout', 'maxLoss'] as const),
  ...(['payoutCapUnit', 'payoutCapLine', 'payoutCapSlip', 'payoutCapUser'] as const),
];
const INHERITED = '不填则沿用上一级';
const fields = [
  { field: 'gameId', placeholder: '不选则用于全部游戏' },
  { field: 'playWayId', placeholder: '不选则用于该游戏的全部玩法' },
  ...kinds.map((field) => ({
    ...{ field, placeholder: INHERITED },
    help: field.startsWith('payoutCap') ? '派彩上限' : '限额拒绝注单',
  })),
  'reason',
] as const;

const actions = (limit: BetLimit) => (
  <>
    <FormButton endpoint={updateBetLimit} fields={fields} initial={limit}>
      编辑
    </FormButton>
    <DeleteButton endpoint={deleteBetLimit} input={{ id: limit.id }} what={`限额 ${limit.id}`} />
  </>
);

/** What bets are refused for and payouts cut to: of a play way, else of its game, else of all games. */
export function LimitScreen() {
  return (
    <ListScreen
      endpoint={pageBetLimits}
      search={['gameId', 'playWayId']}
      columns={['gameId', 'playWayId', ...kinds]}
      toolbar={
        <FormButton endpoint={addBetLimit} fields={fields}>
          新增
        </FormButton>
      }
      rowActions={actions}
    />
  );
}
