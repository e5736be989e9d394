import { pageRebateRuns, type RebateRun, releaseRebates } from '#contract/rebates.ts';
import { CommandButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { RebateDetail } from './RebateDetail.tsx';

const tones = { PREPARED: 'warn', PAYING: 'busy', DONE: 'good' } as const;

const actions = ({ day, status, stale }: RebateRun) =>
  status === 'PREPARED' &&
  !stale && (
    <CommandButton
      endpoint={releaseRebates}
      input={{ day }}
      confirm={`确定放行 ${day} 的返水？放行后该日关账，不能撤回。`}
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
        { field: 'day', width: 108 },
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
