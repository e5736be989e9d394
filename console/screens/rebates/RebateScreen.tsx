import { pageRebateRuns, type RebateRun, releaseRebates } from '#contract/rebates.ts';
import { CommandButton, moneyText } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { RebateDetail } from './RebateDetail.tsx';

const tones = { PREPARED: 'warn', PAYING: 'busy', DONE: 'good' } as const;

/** What is let go is what was seen: a day that was worked out anew since is refused. */
const actions = ({ day, status, stale, rebate, returned, invited, payees, digest }: RebateRun) =>
  status === 'PREPARED' &&
  !stale && (
    <CommandButton
      endpoint={releaseRebates}
      input={{ day, digest }}
      confirm={`确定放行 ${day} 的返水 ${moneyText(rebate)}、返点 ${moneyText(returned)}、邀请奖励 ${moneyText(invited)}（共 ${payees} 人）吗？放行后该日关账，不能撤回。`}
    >
      放行
    </CommandButton>
  );

/** What finished days give back to players and agents, worked out for somebody to let it be paid. */
export function RebateScreen() {
  return (
    <ListScreen
      endpoint={pageRebateRuns}
      search={['day', 'status']}
      columns={[
        { field: 'day', width: 108, least: 94 },
        { field: 'status', width: 88, tones },
        'turnover',
        'rebate',
        'returned',
        'invited',
        { field: 'payees', width: 90 },
        { field: 'unsettled', width: 96 },
        { field: 'waiting', width: 80 },
        { field: 'stale', width: 84 },
        'userName',
        'releaseTime',
        'doneTime',
      ]}
      rowActions={actions}
      expand={(run) => <RebateDetail run={run} />}
    />
  );
}
