import { pageLoginRecords } from '#contract/login-records.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Agent } from '../../parts/agent/Agent.tsx';

const tones = { SUCCESS: 'good', REJECTED: 'warn', LOCKED: 'bad', HELD: 'bad' } as const;

/** Who signed in or tried to, from where, and how it ended. */
export function LoginRecordScreen() {
  return (
    <ListScreen
      endpoint={pageLoginRecords}
      search={['userName', 'address', 'outcome', 'createTimeRange']}
      columns={[
        'createTime',
        { field: 'userName', width: 140 },
        { field: 'address', width: 140 },
        { field: 'outcome', tones, width: 90 },
        'msg',
        { field: 'agent', width: 160, render: ({ agent }) => <Agent agent={agent} /> },
      ]}
    />
  );
}
