import { type ComponentType, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import type { openRoutes, ScreenPath } from '#contract/screens.ts';
import { lazily, ScreenContext } from './kit/overlay/index.ts';
import { NotFound } from './shell/NotFound.tsx';

type OpenPath = (typeof openRoutes)[keyof typeof openRoutes]['path'];
type Load = () => Promise<ComponentType>;

/** Every screen by its route, one line each; each is a chunk of its own. */
const screens: Readonly<Partial<Record<ScreenPath | OpenPath, Load>>> = {
  '/main/other/safe': () => import('./screens/security/SafeScreen.tsx').then((m) => m.SafeScreen),
  '/main/other/document': () => import('./screens/document/DocumentScreen.tsx').then((m) => m.DocumentScreen),
  '/main/analysis/bashboard': () =>
    import('./screens/overview/OverviewScreen.tsx').then((m) => m.OverviewScreen),
  '/main/pms/menu': () => import('./screens/menus/MenuScreen.tsx').then((m) => m.MenuScreen),
  '/main/pms/role': () => import('./screens/roles/RoleScreen.tsx').then((m) => m.RoleScreen),
  '/main/pms/operator': () => import('./screens/operators/OperatorScreen.tsx').then((m) => m.OperatorScreen),
  '/main/pms/login-record': () =>
    import('./screens/login-records/LoginRecordScreen.tsx').then((m) => m.LoginRecordScreen),
  '/main/pms/online-session': () =>
    import('./screens/online-sessions/OnlineSessionScreen.tsx').then((m) => m.OnlineSessionScreen),
  '/main/game/lottery': () => import('./screens/games/GameScreen.tsx').then((m) => m.GameScreen),
  '/main/game/number': () =>
    import('./screens/game-numbers/GameNumberScreen.tsx').then((m) => m.GameNumberScreen),
  '/main/game/playway-category': () =>
    import('./screens/play-way-categories/PlayWayCategoryScreen.tsx').then((m) => m.PlayWayCategoryScreen),
  '/main/game/game-category': () =>
    import('./screens/game-categories/GameCategoryScreen.tsx').then((m) => m.GameCategoryScreen),
  '/main/game/playway': () => import('./screens/play-ways/PlayWayScreen.tsx').then((m) => m.PlayWayScreen),
  '/main/game/bet-latitude': () =>
    import('./screens/bet-latitudes/BetLatitudeScreen.tsx').then((m) => m.BetLatitudeScreen),
  '/main/game/open-plan': () =>
    import('./screens/draw-plans/DrawPlanScreen.tsx').then((m) => m.DrawPlanScreen),
  '/main/game/open-record': () =>
    import('./screens/draw-records/DrawRecordScreen.tsx').then((m) => m.DrawRecordScreen),
  '/main/game/spider': () => import('./screens/spiders/SpiderScreen.tsx').then((m) => m.SpiderScreen),
  '/main/news/category': () =>
    import('./screens/news/NewsCategoryScreen.tsx').then((m) => m.NewsCategoryScreen),
  '/main/news/news': () => import('./screens/news/NewsScreen.tsx').then((m) => m.NewsScreen),
  '/main/system/params-setting': () =>
    import('./screens/params-settings/ParamsSettingScreen.tsx').then((m) => m.ParamsSettingScreen),
  '/main/system/mail-config': () =>
    import('./screens/mail/MailConfigScreen.tsx').then((m) => m.MailConfigScreen),
  '/main/system/mail-outbox': () =>
    import('./screens/mail/MailOutboxScreen.tsx').then((m) => m.MailOutboxScreen),
  '/main/system/change-record': () =>
    import('./screens/change-records/ChangeRecordScreen.tsx').then((m) => m.ChangeRecordScreen),
  '/main/system/approval': () =>
    import('./screens/approvals/ApprovalScreen.tsx').then((m) => m.ApprovalScreen),
  '/main/session/my-session': () =>
    import('./screens/chat-sessions/MySessionScreen.tsx').then((m) => m.MySessionScreen),
  '/main/bet/slip': () => import('./screens/slips/SlipScreen.tsx').then((m) => m.SlipScreen),
  '/main/bet/settlement': () =>
    import('./screens/settlements/SettlementScreen.tsx').then((m) => m.SettlementScreen),
  '/main/bet/exposure': () => import('./screens/exposure/ExposureScreen.tsx').then((m) => m.ExposureScreen),
  '/main/bet/limit': () => import('./screens/limits/LimitScreen.tsx').then((m) => m.LimitScreen),
  '/main/bet/report': () => import('./screens/reports/ReportScreen.tsx').then((m) => m.ReportScreen),
  '/main/bet/rebate': () => import('./screens/rebates/RebateScreen.tsx').then((m) => m.RebateScreen),
  '/main/bet/rebate-rate': () =>
    import('./screens/rebate-rates/RebateRateScreen.tsx').then((m) => m.RebateRateScreen),
  '/main/bet/agent': () => import('./screens/agents/AgentScreen.tsx').then((m) => m.AgentScreen),
  '/main/user/user': () => import('./screens/users/UserScreen.tsx').then((m) => m.UserScreen),
  '/main/user/account': () => import('./screens/accounts/AccountScreen.tsx').then((m) => m.AccountScreen),
  '/main/user/account-history': () =>
    import('./screens/account-history/AccountHistoryScreen.tsx').then((m) => m.AccountHistoryScreen),
  '/main/user/deposit-record': () =>
    import('./screens/deposits/DepositScreen.tsx').then((m) => m.DepositScreen),
  '/main/user/withdraw-record': () =>
    import('./screens/withdrawals/WithdrawalScreen.tsx').then((m) => m.WithdrawalScreen),
};

const shell = lazily(() => import('./shell/Shell.tsx').then((m) => m.Shell));
const login = lazily(() => import('./screens/sign-in/LoginScreen.tsx').then((m) => m.LoginScreen));
const temporaryPassword = lazily(() =>
  import('./screens/sign-in/TemporaryPasswordScreen.tsx').then((m) => m.TemporaryPasswordScreen),
);
const verify = lazily(() => import('./screens/verify/VerifyScreen.tsx').then((m) => m.VerifyScreen));
const routed = Object.entries(screens).map(([path, load]) => ({ path, ...lazily(load) }));

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
    <Suspense fallback={null}>
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
