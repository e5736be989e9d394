import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import type { openRoutes, ScreenPath } from '#contract/screens.ts';
import { NotFound } from './shell/NotFound.tsx';

type OpenPath = (typeof openRoutes)[keyof typeof openRoutes]['path'];
type Load = () => Promise<ComponentType>;

/** Every screen by its route, one line each; each is a chunk of its own. */
const screens: Readonly<Partial<Record<ScreenPath | OpenPath, Load>>> = {
  '/main/other/safe': () => import('./screens/other/SafeScreen.tsx').then((m) => m.SafeScreen),
  '/main/other/document': () => import('./screens/other/DocumentScreen.tsx').then((m) => m.DocumentScreen),
  '/main/analysis/bashboard': () =>
    import('./screens/other/OverviewScreen.tsx').then((m) => m.OverviewScreen),
  '/main/pms/menu': () => import('./screens/pms/MenuScreen.tsx').then((m) => m.MenuScreen),
  '/main/pms/role': () => import('./screens/pms/RoleScreen.tsx').then((m) => m.RoleScreen),
  '/main/pms/operator': () => import('./screens/pms/OperatorScreen.tsx').then((m) => m.OperatorScreen),
};

const lazily = (load: Load) => lazy(async () => ({ default: await load() }));

const loadShell: Load = () => import('./shell/Shell.tsx').then((m) => m.Shell);
const Shell = lazily(loadShell);
const LoginScreen = lazily(() => import('./screens/sign-in/LoginScreen.tsx').then((m) => m.LoginScreen));
const routed = Object.entries(screens).map(([path, load]) => ({ path, load, Screen: lazily(load) }));

/** Fetches all that an address needs at once, instead of one part after the other as React comes upon it. */
export function preload(path: string): void {
  if (!path.startsWith('/main')) return;
  void loadShell();
  void routed.find((route) => route.path === path)?.load();
}

/** The routes of the console; what an operator's menus do not grant, the shell answers with the not-found page. */
export function Routed() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/" element={<Navigate to="/login" replace />} />
        <Route path="/login" element={<LoginScreen />} />
        <Route path="/main" element={<Shell />}>
          <Route index element={null} />
          {routed.map(({ path, Screen }) => (
            <Route key={path} path={path} element={<Screen />} />
          ))}
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}
