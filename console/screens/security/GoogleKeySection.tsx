import {
  beginGoogleKey,
  getOwnGoogleKey,
  type RecoveryCodes,
  renewRecoveryCodes,
} from '#contract/google-keys.ts';
import type { GoogleKey } from '#contract/operators.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { CodeInput, FormButton, Tag } from '../../kit/form/index.ts';
import { NotLoaded, openDialog } from '../../kit/overlay/index.ts';
import { ConfirmKeyDialog } from './ConfirmKeyDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';

const FEW_CODES = 3;

const confirmKey = (googleKey: GoogleKey) => openDialog(<ConfirmKeyDialog googleKey={googleKey} />);
const showCodes = ({ codes }: RecoveryCodes) => openDialog(<RecoveryCodesDialog codes={codes} />);

/** The operator's own Google key and recovery codes. */
export function GoogleKeySection() {
  const { data: own, error, refetch } = useEndpoint(getOwnGoogleKey, {});
  return (
    <section className="safe" aria-label="谷歌验证">
      <h1>
        谷歌验证 {own && <Tag tone={own.bound ? 'good' : 'idle'}>{own.bound ? '已绑定' : '未绑定'}</Tag>}
      </h1>
      <p className="safe-hint">
        绑定后，登录与重要操作都要输入手机上的验证码。绑定时得到 10
        个恢复码，手机不在身边时每个可以代替一次登录验证码。
      </p>
      {own && (own.bound ? <Bound left={own.recoveryCodesLeft} /> : <Unbound />)}
      {!own && error && (
        <NotLoaded title="谷歌验证加载失败" text={error.message} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

const Unbound = () => (
  <FormButton
    endpoint={beginGoogleKey}
    fields={['password']}
    title="绑定谷歌验证"
    submit="下一步"
    onDone={confirmKey}
  >
    绑定谷歌验证
  </FormButton>
);

function Bound({ left }: { readonly left: number }) {
  return (
    <>
      <p>
        {`还有 ${left} 个恢复码没有用过`}
        {left <= FEW_CODES && <span className="safe-few">，请及时重新生成</span>}
      </p>
      <div className="safe-buttons">
        <FormButton
          endpoint={beginGoogleKey}
          fields={['password', { field: 'code', input: CodeInput, required: true }]}
          title="更换谷歌密钥"
          submit="下一步"
          onDone={confirmKey}
        >
          更换谷歌密钥
        </FormButton>
        <FormButton
          endpoint={renewRecoveryCodes}
          fields={['password', { field: 'googleCode', input: CodeInput, required: true }]}
          title="重新生成恢复码"
          onDone={showCodes}
        >
          重新生成恢复码
        </FormButton>
      </div>
    </>
  );
}
