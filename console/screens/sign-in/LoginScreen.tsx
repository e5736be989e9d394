import { type FormEvent, startTransition, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { listCurrentMenus } from '#contract/menus.ts';
import { login, publicSettings } from '#contract/sign-in.ts';
import brand from '../../brand.svg';
import {
  CallFailed,
  call,
  chooseForSignIn,
  followLanguage,
  landingPath,
  otherLanguage,
  queryClient,
  toast,
  useCommand,
  writeMenus,
  writeSession,
} from '../../kit/call/index.ts';
import { useErrorFocus } from '../../kit/overlay/index.ts';
import { LoginFailure, LoginField } from './LoginField.tsx';
import './login.css';

const empty = { username: '', password: '', googleCode: '' };

const fields = Object.keys(empty);

/** A server that says nothing this long keeps nobody from signing in. */
const PATIENCE_MS = 1_000;

/**
 * What the form starts with: the sample account where there is one. Nothing until that is known, so that no value ever
 * comes between the letters of somebody who types at once.
 */
function useFirstValues(): typeof empty | undefined {
  const [first, setFirst] = useState<typeof empty>();
  useEffect(() => {
    document.title = '登录 - 运营后台';
    const start = (values: typeof empty) => setFirst((known) => known ?? values);
    const timer = setTimeout(() => start(empty), PATIENCE_MS);
    call(publicSettings, {}, { loading: false }).then(
      ({ sampleAccount }) => start({ ...empty, ...sampleAccount }),
      () => start(empty),
    );
    return () => clearTimeout(timer);
  }, []);
  return first;
}

/** Signing in. */
export function LoginScreen() {
  const first = useFirstValues();
  return <main className="login">{first && <LoginForm first={first} />}</main>;
}

/** The token, then the menus it opens, then the first screen among them. */
function useSigningIn(first: typeof empty) {
  const navigate = useNavigate();
  const [values, setValues] = useState(first);
  const { run, running, failure, correct } = useCommand(login, { fields });
  const { frame, refused } = useErrorFocus<HTMLFormElement>();
  const set = (name: keyof typeof empty) => (value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    correct(name);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const signedIn = await run(values);
    if (!signedIn) return refused();
    const { userName: operator, language, ...token } = signedIn;
    // Whoever was signed in before leaves nothing behind.
    queryClient.clear();
    if (!writeSession({ ...token, operator }))
      toast('error', '浏览器不保存本网站的数据：刷新页面或打开新窗口后须重新登录');
    else if (followLanguage(language)) return;
    try {
      const menus = await call(listCurrentMenus, {});
      writeMenus(menus);
      // The form stands until what comes after it is there.
      startTransition(() => void navigate(landingPath(menus)));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      // Signed in all the same: what waits for the menus says that they have not come, and asks again.
      if (!error.settled) startTransition(() => void navigate('/main'));
    }
  };

  return { values, set, submit, running, failure, frame };
}

function LoginForm({ first }: { first: typeof empty }) {
  const { values, set, submit, running, failure, frame } = useSigningIn(first);
  const errors = failure?.fieldErrors ?? {};
  return (
    <form ref={frame} className="login-card" onSubmit={(event) => void submit(event)} noValidate>
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
      <LoginFailure failure={failure} />
      <button type="submit" className="login-button" aria-disabled={running}>
        登录
      </button>
      <button type="button" className="login-language" lang={otherLanguage.code} onClick={chooseForSignIn}>
        {otherLanguage.name}
      </button>
    </form>
  );
}
