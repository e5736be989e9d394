import { type ComponentType, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { openRoutes, screens } from '#contract/screens.ts';
import { Fetching, lazily, ScreenContext } from './kit/overlay/index.ts';
import { screenName } from './screen-names.ts';
import { NotFound } from './shell/NotFound.tsx';

/** Every screen of a file of its own; each is a chunk of its own. */
const files = import.meta.glob<Readonly<Record<string, ComponentType>>>('./screens/**/*Screen.tsx');

function loadOf(path: string): (() => Promise<ComponentType>) | undefined {
  const name = screenName(path);
  const load = Object.entries(files).find(([file]) => file.endsWith(`/${name}.tsx`))?.[1];
  return (
    load &&
    (async () => {
      const Screen = (await load())[name];
      if (!Screen) throw new Error(`no ${name} in its file`);
      return Screen;
    })
  );
}

const shell = lazily(() => import('./shell/Shell.tsx').then((m) => m.Shell));
const login = lazily(() => import('./screens/sign-in/LoginScreen.tsx').then((m) => m.LoginScreen));
const temporaryPassword = lazily(() =>
  import('./screens/sign-in/TemporaryPasswordScreen.tsx').then((m) => m.TemporaryPasswordScreen),
);
const verify = lazily(() => import('./screens/verify/VerifyScreen.tsx').then((m) => m.VerifyScreen));
const routed = [...screens, ...Object.values(openRoutes)].flatMap(({ path }) => {
  const load = loadOf(path);
  return load ? [{ path, ...lazily(load) }] : [];
});

/** Fetches all that an address needs at once, instead of one part after the other as React comes upon it. */
export async function preload(path: string): Promise<void> {
  if (path.startsWith('/verify/')) return verify.fetch().then(() => undefined);
  if (path === '/change-password') return temporaryPassword.fetch().then(() => undefined);
  const isInside = path.startsWith('/main');
  const parts = isInside ? [shell, ...routed.filter((route) => route.path === path)] : [login];
  await Promise.all(parts.map((part) => part.fetch()));
}

const parts = new Map<string, ComponentType>(routed.map(({ path, Part }) => [path, Part]));

/** The shell draws the screens of all open tabs, so it is told of every one. */
const Inside = () => (
  <ScreenContext value={parts}>
    <shell.Part />
  </ScreenContext>
);

/** The routes of the console; what an operator's menus do not grant, the shell answers with the not-found page. */
export function Routed() {
  return (
    <Suspense fallback={<Fetching />}>
      <Routes>
        <Route path="/" element={<Navigate to="/login" replace />} />
        <Route path="/login" element={<login.Part />} />
        <Route path="/change-password" element={<temporaryPassword.Part />} />
        <Route path="/main/*" element={<Inside />} />
        <Route path="/verify/:gameId/:phase" element={<verify.Part />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}
