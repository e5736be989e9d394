import { addChatSession } from '#contract/chat-sessions.ts';
import {
  addUser,
  excludeUser,
  freezeUser,
  markTestAccount,
  pageUsers,
  type User,
  unfreezeUser,
} from '#contract/users.ts';
import { platformZone, serverNow, wallClock } from '../../kit/call/index.ts';
import { CommandButton, FormButton, ImportButton, MenuButton, Tag } from '../../kit/form/index.ts';
import { DrillDowns, ListScreen } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';

/** What keeps a player from betting, and whether their slips count. */
function BettingState({ user }: { readonly user: User }) {
  const { id: userId, nickName, frozen, testAccount } = user;
  const freezing = frozen ? unfreezeUser : freezeUser;
  return (
    <MenuButton label="投注">
      <FormButton
        endpoint={freezing}
        fields={['reason']}
        initial={{ userId }}
        title={`${frozen ? '解冻' : '冻结'}用户“${nickName}”`}
      >
        {frozen ? '解冻' : '冻结'}
      </FormButton>
      <FormButton
        endpoint={excludeUser}
        fields={['excludedUntil', 'reason']}
        initial={{ userId }}
        title={`用户“${nickName}”自我禁投`}
      >
        自我禁投
      </FormButton>
      <CommandButton
        endpoint={markTestAccount}
        input={{ userId, testAccount: !testAccount }}
        confirm={`确定把用户“${nickName}”${testAccount ? '改回真实账号' : '标记为测试账号'}吗？`}
      >
        {testAccount ? '改回真实账号' : '标记测试账号'}
      </CommandButton>
    </MenuButton>
  );
}

/** Whether a player may bet now; else why not. */
function MayBet({ user: { frozen, freezeReason, excludedUntil, testAccount } }: { readonly user: User }) {
  const excluded = excludedUntil !== null && excludedUntil > wallClock(serverNow(), platformZone());
  return (
    <span title={freezeReason ?? undefined}>
      {frozen && <Tag tone="bad">已冻结</Tag>}{' '}
      {excluded && <Tag tone="warn">{`禁投至 ${excludedUntil}`}</Tag>}{' '}
      {testAccount && <Tag tone="busy">测试</Tag>}
      {!frozen && !excluded && !testAccount && <Absent />}
    </span>
  );
}

const actions = ({ id, nickName, ...user }: User) => (
  <>
    <CommandButton
      endpoint={addChatSession}
      input={{ userId: id }}
      confirm={`确定为用户“${nickName}”新增会话吗？`}
    >
      新增会话
    </CommandButton>
    <MenuButton label="资金">
      <DrillDowns noun="user" id={id} />
    </MenuButton>
    <BettingState user={{ id, nickName, ...user }} />
  </>
);

/** Players of the platform. */
export function UserScreen() {
  return (
    <ListScreen
      endpoint={pageUsers}
      search={[
        'id',
        'username',
        'realName',
        'nickName',
        'agentId',
        'level',
        'phone',
        'email',
        'createTimeRange',
        'frozen',
        'testAccount',
      ]}
      columns={[
        'id',
        'username',
        'realName',
        'nickName',
        'agentId',
        { field: 'level', width: 60 },
        'phone',
        { field: 'parentId', width: 80 },
        { field: 'email', width: 190 },
        { field: 'frozen', label: '投注状态', width: 120, render: (user) => <MayBet user={user} /> },
        'createTime',
      ]}
      toolbar={
        <>
          <FormButton endpoint={addUser} fields={['nickName']} submit="新增">
            新增
          </FormButton>
          <ImportButton endpoint={addUser} />
        </>
      }
      rowActions={actions}
    />
  );
}
