import { type FormEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { listCurrentMenus } from '#contract/menus.ts';
import { login, publicSettings } from '#contract/sign-in.ts';
import brand from '../../brand.svg';
import { call } from '../../kit/call.ts';
import { CallFailed } from '../../kit/call-failed.ts';
import { landingPath } from '../../kit/menu-tree.ts';
import { queryClient } from '../../kit/query-client.ts';
import { clearSession, writeMenus, writeOperatorName, writeToken } from '../../kit/session.ts';
import { useCommand } from '../../kit/use-command.ts';
import { LoginField } from './LoginField.tsx';
import './login.css';

const empty = { username: '', password: '', googleCode: '' };

/** What is typed; where there is sample data the form starts with the sample account, unless someone was faster. */
function useLoginValues() {
  const [values, setValues] = useState(empty);
  useEffect(() => {
    document.title = '登录 - 运营后台';
    call(publicSettings, {}, { loading: false }).then(
      ({ sampleAccount }) => {
        if (!sampleAccount) return;
        setValues((typed) => (typed.username || typed.password ? typed : { ...typed, ...sampleAccount }));
      },
      () => undefined,
    );
  }, []);
  return [values, setValues] as const;
}

/** Signing in: the token, then the menus it opens, then the first screen among them. */
export function LoginScreen() {
  const navigate = useNavigate();
  const [values, setValues] = useLoginValues();
  const { run, running, failure } = useCommand(login);
  const set = (name: keyof typeof empty) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const token = await run(values);
    if (!token) return;
    // Whoever was signed in before leaves nothing behind.
    clearSession();
    queryClient.clear();
    writeToken(token);
    writeOperatorName(values.username.trim());
    try {
      const menus = await call(listCurrentMenus, {});
      writeMenus(menus);
      void navigate(landingPath(menus));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
    }
  };

  const errors = failure?.fieldErrors ?? {};
  return (
    <main className="login">
      <form className="login-card" onSubmit={(event) => void submit(event)} noValidate>
        <header>
          <img src={brand} alt="" width="40" height="40" />
          <h1>运营后台</h1>
          <p className="login-platform">彩票与投注平台</p>
        </header>
        <LoginField
          label="登录账号"
          value={values.username}
          onChange={set('username')}
          error={errors.username}
          autoComplete="username"
          autoFocus
        />
        <LoginField
          label="登录密码"
          type="password"
          value={values.password}
          onChange={set('password')}
          error={errors.password}
          autoComplete="current-password"
        />
        <LoginField
          label="谷歌验证码"
          value={values.googleCode}
          onChange={set('googleCode')}
          error={errors.googleCode}
          placeholder="谷歌验证码（未设置可不填）"
          autoComplete="one-time-code"
          inputMode="numeric"
        />
        <p className="login-failure" role="alert">
          {failure && Object.keys(errors).length === 0 ? failure.message : ''}
        </p>
        <button type="submit" className="login-button" aria-disabled={running}>
          登录
        </button>
      </form>
    </main>
  );
}
