import { addChatSession } from '#contract/chat-sessions.ts';
import { addUser, pageUsers, type User } from '#contract/users.ts';
import { CommandButton } from '../../kit/CommandButton.tsx';
import { DrillDowns } from '../../kit/DrillDowns.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { ImportButton } from '../../kit/ImportButton.tsx';
import { ListScreen } from '../../kit/ListScreen.tsx';
import { MenuButton } from '../../kit/MenuButton.tsx';

const actions = ({ id, nickName }: User) => (
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
