import {
  endOnlineSession,
  endOperatorSessions,
  type OnlineSession,
  pageOnlineSessions,
} from '#contract/online-sessions.ts';
import { CommandButton, Tag } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Outranking } from '../../parts/access/Outranking.tsx';
import { Agent } from '../../parts/agent/Agent.tsx';

const Ends = ({ id, operatorId, userName, current }: OnlineSession) => (
  <>
    {!current && (
      <CommandButton
        endpoint={endOnlineSession}
        input={{ id }}
        confirm={`确定让“${userName}”的这个登录下线吗？`}
        danger
        bulk
      >
        下线
      </CommandButton>
    )}
    <CommandButton
      endpoint={endOperatorSessions}
      input={{ operatorId }}
      confirm={current ? '确定让自己的其他登录全部下线吗？' : `确定让“${userName}”的登录全部下线吗？`}
      danger
    >
      全部下线
    </CommandButton>
  </>
);

const actions = (session: OnlineSession) => (session.outranks ? <Outranking /> : <Ends {...session} />);

/** Who is signed in, since when, from where and with what. */
export function OnlineSessionScreen() {
  return (
    <ListScreen
      endpoint={pageOnlineSessions}
      search={['userName', 'address', 'createTimeRange']}
      columns={[
        {
          field: 'userName',
          width: 180,
          render: ({ userName, current }) => (
            <>
              {userName} {current && <Tag tone="brand">本次登录</Tag>}
            </>
          ),
        },
        'createTime',
        'lastUseTime',
        { field: 'address', width: 130 },
        { field: 'lastAddress', width: 130 },
        { field: 'agent', render: ({ agent }) => <Agent agent={agent} /> },
      ]}
      rowActions={actions}
    />
  );
}
