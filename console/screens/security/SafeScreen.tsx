import { type FormEvent, useId, useState } from 'react';
import { firstMistake, SHORTEST_PASSWORD } from '#contract/passwords.ts';
import { changePassword } from '#contract/security.ts';
import { readOperatorName, toast, useCommand } from '../../kit/call/index.ts';
import { askedFields, FormInput } from '../../kit/form/index.ts';
import { Antd, Button, FieldError, saidAt, useErrorFocus } from '../../kit/overlay/index.ts';
import { GoogleKeySection } from './GoogleKeySection.tsx';
import { NoticesSection } from './NoticesSection.tsx';
import './safe.css';

const asked = askedFields(changePassword, ['oldPassword', 'newPassword', 'newConfirm']);
const empty = { oldPassword: '', newPassword: '', newConfirm: '' };
const fields = Object.keys(empty);

/** The operator's own password and second factor. */
export function SafeScreen() {
  const id = useId();
  const [values, setValues] = useState(empty);
  const [mistake, setMistake] = useState<ReturnType<typeof firstMistake>>(null);
  const { run, running, failure, correct } = useCommand(changePassword, { fields });
  const { frame, refused } = useErrorFocus<HTMLFormElement>();

  const change = (name: string, value: unknown) => {
    setValues((before) => ({ ...before, [name]: value }));
    correct(name);
    if (mistake?.field === name) setMistake(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = firstMistake(values);
    setMistake(found);
    if (found) {
      toast('shown', found.text);
      return refused();
    }
    if (await run(values)) setValues(empty);
    else refused();
  };

  const shown: Readonly<Record<string, string>> = { ...values };
  return (
    <Antd>
      <section className="safe" aria-label="修改密码">
        <h1>修改密码</h1>
        <p className="safe-hint">
          {`新密码至少 ${SHORTEST_PASSWORD} 个字符。修改后，您在其他设备上的登录将全部失效。`}
        </p>
        <form ref={frame} onSubmit={(event) => void submit(event)} noValidate>
          <input type="text" autoComplete="username" value={readOperatorName()} readOnly hidden />
          {asked.map((one) => {
            const { name, label } = one.field;
            const error = mistake?.field === name ? mistake.text : failure?.fieldErrors[name];
            return (
              <div key={name} className="safe-field">
                <label htmlFor={id + name}>{label}</label>
                <FormInput
                  asked={one}
                  id={id + name}
                  value={shown[name]}
                  values={shown}
                  onChange={(value) => change(name, value)}
                  {...saidAt({ id: id + name, error })}
                />
                <FieldError id={id + name} error={error} />
              </div>
            );
          })}
          <Button type="submit" tone="primary" aria-disabled={running}>
            提交
          </Button>
        </form>
      </section>
      <GoogleKeySection />
      <NoticesSection />
    </Antd>
  );
}
