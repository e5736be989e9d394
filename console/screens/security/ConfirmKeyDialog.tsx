import { type FormEvent, useId, useState } from 'react';
import { confirmGoogleKey } from '#contract/google-keys.ts';
import type { GoogleKey } from '#contract/operators.ts';
import { useCommand } from '../../kit/call/index.ts';
import { CodeInput, GoogleKeyFace } from '../../kit/form/index.ts';
import { Button, Dialog, FieldError, openDialog, saidAt } from '../../kit/overlay/index.ts';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';

const fields = ['googleCode'];

/** A key that was begun: it is bound by its first code. */
export function ConfirmKeyDialog({ googleKey }: { readonly googleKey: GoogleKey }) {
  const id = useId();
  const [code, setCode] = useState('');
  const { run, running, failure, correct } = useCommand(confirmGoogleKey, { fields });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const bound = await run({ googleCode: code });
    if (bound) openDialog(<RecoveryCodesDialog codes={bound.codes} />);
  };
  const change = (value: unknown) => {
    setCode(String(value));
    correct('googleCode');
  };
  const error = failure?.fieldErrors.googleCode ?? failure?.message;
  return (
    <Dialog title="绑定谷歌验证" width={420}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <GoogleKeyFace googleKey={googleKey}>
          用谷歌验证器扫描二维码，或手工输入密钥，再填写它显示的验证码。
        </GoogleKeyFace>
        <div className="safe-field safe-code">
          <label htmlFor={id}>验证码</label>
          <CodeInput id={id} value={code} onChange={change} values={{}} {...saidAt({ id, error })} />
          <FieldError id={id} error={error} />
        </div>
        <div className="form-buttons">
          <Button type="submit" tone="primary" aria-disabled={running}>
            绑定
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
