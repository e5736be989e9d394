import { liftExclusion } from '#contract/player-limits.ts';
import { excludeUser, freezeUser, markTestAccount, type User, unfreezeUser } from '#contract/users.ts';
import { useMay } from '../../kit/call/index.ts';
import { CommandButton, FormButton, MenuButton } from '../../kit/form/index.ts';

/** What keeps a player from betting, and whether their slips count. */
export function BettingState({ user }: { readonly user: User }) {
  const allowed = useMay(freezeUser);
  const { id: userId, nickName, frozen, excludedUntil, testAccount } = user;
  const freezing = frozen ? unfreezeUser : freezeUser;
  if (!allowed) return null;
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
      {excludedUntil !== null && (
        <FormButton
          endpoint={liftExclusion}
          fields={['reason']}
          initial={{ userId }}
          title={`解除用户“${nickName}”的自我禁投`}
        >
          解除禁投
        </FormButton>
      )}
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
