import { type FormEvent, useState } from 'react';
import { confirmStepUp } from '#contract/google-keys.ts';
import { useCommand } from '../call/use-command.ts';
import { Button } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { FieldError, saidAt } from '../overlay/FieldError.tsx';
import { CodeInput } from './CodeInput.tsx';

interface StepUpDialogProps {
  readonly onEnd: (confirmed: boolean) => void;
}

const fields = ['googleCode'];

/** Asks for the code that a call wants; it stands above whatever is open, and leaves that as it was. */
export function StepUpDialog({ onEnd }: StepUpDialogProps) {
  const [code, setCode] = useState('');
  const { run, running, failure, correct } = useCommand(confirmStepUp, { fields });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run({ googleCode: code })) onEnd(true);
  };
  const change = (value: unknown) => {
    setCode(String(value));
    correct('googleCode');
  };
  const said = { id: 'step-up-code', error: failure?.fieldErrors.googleCode ?? failure?.message };
  return (
    <Dialog title="谷歌验证码确认" width={400} onLeave={() => onEnd(false)}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p className="step-up-why">请输入手机上的谷歌验证码，确认后继续刚才的操作。5 分钟内不再询问。</p>
        <div className="form">
          <div className="form-field">
            <label htmlFor={said.id}>谷歌验证码</label>
            <div className="form-input">
              <CodeInput id={said.id} value={code} onChange={change} values={{}} {...saidAt(said)} />
              <FieldError {...said} />
            </div>
          </div>
        </div>
        <div className="form-buttons">
          <Button onClick={() => onEnd(false)}>取消</Button>
          <Button type="submit" tone="primary" aria-disabled={running}>
            确认
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
