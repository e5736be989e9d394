import { type FormEvent, startTransition, useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { SHORTEST_PASSWORD } from '#contract/passwords.ts';
import { changePassword } from '#contract/security.ts';
import { hasSession, readOperatorName, useCommand } from '../../kit/call/index.ts';
import { useErrorFocus } from '../../kit/overlay/index.ts';
import { LoginFailure, LoginField } from './LoginField.tsx';
import './login.css';

const empty = { oldPassword: '', newPassword: '', newConfirm: '' };
const fields = Object.keys(empty);

/** All that a session may do whose password somebody else gave: change it. */
export function TemporaryPasswordScreen() {
  useEffect(() => {
    document.title = '修改密码 - 运营后台';
  }, []);
  if (!hasSession()) return <Navigate to="/login" replace />;
  return (
    <main className="login">
      <ChangeForm />
    </main>
  );
}

function ChangeForm() {
  const navigate = useNavigate();
  const [values, setValues] = useState(empty);
  const { run, running, failure, correct } = useCommand(changePassword, { fields });
  const { frame, refused } = useErrorFocus<HTMLFormElement>();
  const set = (name: keyof typeof empty) => (value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    correct(name);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await run(values))) return refused();
    // The form stands until what comes after it is there.
    startTransition(() => void navigate('/main', { replace: true }));
  };

  const errors = failure?.fieldErrors ?? {};
  const field = (name: keyof typeof empty, label: string, autoComplete: string) => (
    <LoginField
      label={label}
      type="password"
      value={values[name]}
      onChange={set(name)}
      error={errors[name]}
      autoComplete={autoComplete}
    />
  );
  return (
    <form ref={frame} className="login-card" onSubmit={(event) => void submit(event)} noValidate>
      <header className="login-plain">
        <h1>请先修改密码</h1>
        <p className="login-platform">
          {`您的密码由他人设置，修改后才能进入后台。新密码至少 ${SHORTEST_PASSWORD} 个字符。`}
        </p>
      </header>
      <input type="text" autoComplete="username" value={readOperatorName()} readOnly hidden />
      {field('oldPassword', '临时密码', 'current-password')}
      {field('newPassword', '新密码', 'new-password')}
      {field('newConfirm', '确认密码', 'new-password')}
      <LoginFailure failure={failure} />
      <button type="submit" className="login-button" aria-disabled={running}>
        修改密码
      </button>
    </form>
  );
}
