import {
  addOperator,
  bindOperatorRoles,
  cleanGoogleKey,
  deleteOperator,
  disableOperator,
  enableOperator,
  type GoogleKey,
  listOperators,
  type Operator,
  resetGoogleKey,
  resetOperatorPassword,
  unlockOperator,
  updateOperator,
} from '#contract/operators.ts';
import { CommandButton, DeleteButton, FormButton, MenuButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { ExplainDialog } from '../../parts/access/ExplainDialog.tsx';
import { Outranking } from '../../parts/access/Outranking.tsx';
import { GoogleKeyDialog } from '../../parts/google-key/GoogleKeyDialog.tsx';
import { Grants } from '../../parts/grants/Grants.tsx';
import { AskedWhy } from './AskedWhy.tsx';

const roles = [{ field: 'roleIds', label: '角色', input: Grants }] as const;

const showKey = (name: string) => (key: GoogleKey) =>
  openDialog(<GoogleKeyDialog userName={name} googleKey={key} />);

type Account = Pick<Operator, 'id' | 'userName' | 'disabled' | 'own'>;

/** Whether somebody else may sign in, and with which password. */
const SignInButtons = ({ id, userName, disabled }: Account) => (
  <>
    <FormButton
      endpoint={resetOperatorPassword}
      fields={[{ field: 'password', hint: () => '对方登录后须先修改密码；其现有登录全部失效。' }]}
      initial={{ id }}
      title={`重置密码：${userName}`}
    >
      重置密码
    </FormButton>
    {disabled ? (
      <CommandButton endpoint={enableOperator} input={{ id }} confirm={`确定启用“${userName}”吗？`} bulk>
        启用
      </CommandButton>
    ) : (
      <CommandButton
        endpoint={disableOperator}
        input={{ id }}
        confirm={`确定停用“${userName}”吗？其登录立即失效，启用前不能再登录。`}
        danger
        bulk
      >
        停用
      </CommandButton>
    )}
  </>
);

/** What they sign in with. Nobody gives themselves another password here, or shuts themselves out. */
const AccountButtons = ({ id, userName, disabled, own }: Account) => (
  <>
    {!own && <SignInButtons {...{ id, userName, disabled, own }} />}
    <CommandButton
      endpoint={resetGoogleKey}
      input={{ id }}
      confirm={`确定重置“${userName}”的谷歌密钥吗？旧密钥将立即失效。`}
      onDone={showKey(userName)}
    >
      重置谷歌密钥
    </CommandButton>
    <CommandButton
      endpoint={cleanGoogleKey}
      input={{ id }}
      confirm={`确定清除“${userName}”的谷歌密钥吗？清除后登录不再需要验证码。`}
      danger
    >
      清除谷歌密钥
    </CommandButton>
  </>
);

/** What is bound in place of what is seen here, and nothing else. */
function binding({ id: oid, hasRoles }: Pick<Operator, 'id' | 'hasRoles'>) {
  const seen = hasRoles.map(({ id }) => id);
  return { oid, roleIds: seen, seen };
}

const Explain = ({ id, userName }: Pick<Operator, 'id' | 'userName'>) => (
  <Button onClick={() => openDialog(<ExplainDialog of="operator" id={id} name={userName} />)}>
    权限说明
  </Button>
);

const Changes = ({ id, userName, hasRoles, lockedUntil, disabled, own, ...operator }: Operator) => (
  <>
    {lockedUntil !== null && (
      <FormButton
        endpoint={unlockOperator}
        fields={['reason']}
        initial={{ id }}
        title={`解除登录锁定：${userName}`}
      >
        解除锁定
      </FormButton>
    )}
    <FormButton endpoint={updateOperator} fields={['userName']} initial={{ ...operator, id, userName }}>
      编辑
    </FormButton>
    <FormButton
      endpoint={bindOperatorRoles}
      fields={roles}
      initial={binding({ id, hasRoles })}
      title={`分配角色：${userName}`}
    >
      分配角色
    </FormButton>
    <Explain {...{ id, userName }} />
    <MenuButton label="账号">
      <AccountButtons {...{ id, userName, disabled, own }} />
    </MenuButton>
    {!own && <DeleteButton endpoint={deleteOperator} input={{ id }} what={`操作员“${userName}”`} />}
  </>
);

const actions = (operator: Operator) =>
  operator.outranks ? (
    <>
      <Explain {...operator} />
      <Outranking />
    </>
  ) : (
    <Changes {...operator} />
  );

/** Operators: who may sign in, with which roles and which second factor. */
export function OperatorScreen() {
  return (
    <ListScreen
      endpoint={listOperators}
      search={['userName', 'userNo', 'desc', 'name', 'roleId', 'createDateRange']}
      columns={[
        { field: 'userName', least: 104 },
        'userNo',
        { field: 'disabled', tones: { true: 'bad', false: 'good' } },
        'hasGoogleKey',
        'lastLoginTime',
        { field: 'lastLoginAddress', least: 90 },
        'createDate',
        'editDate',
        'lockedUntil',
      ]}
      toolbar={
        <>
          <FormButton endpoint={addOperator} fields={['userName', 'password']}>
            新增
          </FormButton>
          <AskedWhy />
        </>
      }
      rowActions={actions}
    />
  );
}
