import { IconProvider } from '@ant-design/icons';
import { use, useCallback, useEffect, useMemo } from 'react';
import { Navigate, useLocation } from 'react-router';
import type { Menu } from '#contract/menus.ts';
import {
  CodesContext,
  grantedPaths,
  hasSession,
  heldCodes,
  landingPath,
  mayOpen,
  PathsContext,
  trailOf,
  useReadMenus,
} from '../kit/call/index.ts';
import { AskForCode } from '../kit/form/index.ts';
import {
  csp,
  dropOverlays,
  Failsafe,
  NotLoaded,
  Overlays,
  ScreenContext,
  tellUnopened,
} from '../kit/overlay/index.ts';
import { NotFound } from './NotFound.tsx';
import { Palette } from './palette/Palette.tsx';
import { usePalette } from './palette/use-palette.ts';
import { SideBar } from './SideBar.tsx';
import { TopBar } from './TopBar.tsx';
import { TrialBanner } from './TrialBanner.tsx';
import { TabBar } from './tabs/TabBar.tsx';
import { TabPanel } from './tabs/TabPanel.tsx';
import { addressOf } from './tabs/tab-list.ts';
import { useTabs } from './tabs/use-tabs.ts';
import { useCollapsed } from './use-collapsed.ts';
import { useNews } from './use-news.ts';
import { Watermark } from './Watermark.tsx';
import './shell.css';
import './phone.css';
import './print.css';

const icons = { csp };

/** Everything behind the login: only for those who have a session, and only what their menus grant. */
export function Shell() {
  return hasSession() ? <Inside /> : <Navigate to="/login" replace />;
}

/** The shell, once it is known what it holds; else why it is not. */
function Inside() {
  const { menus, failure, readAgain } = useReadMenus();
  useEffect(() => dropOverlays, []);
  if (menus) return <Furnished menus={menus} />;
  return (
    <div className="shell shell-unread">
      {failure && <NotLoaded title="菜单加载失败" text={failure.message} onRetry={readAgain} />}
    </div>
  );
}

interface HeldProps {
  readonly menus: Menu[];
}

/** What the menus grant: buttons, screens, and what those are called. */
function useGranted({ menus }: HeldProps) {
  const drawable = use(ScreenContext);
  return {
    codes: useMemo(() => heldCodes(menus), [menus]),
    paths: useMemo(() => grantedPaths(menus), [menus]),
    opens: useCallback((path: string) => mayOpen(menus, path) && drawable.has(path), [menus, drawable]),
    titleOf: useCallback((path: string) => trailOf(menus, path).at(-1) ?? path, [menus]),
  };
}

/** The browser's own tab says which screen is shown, and how much waits. */
function useTitle(title: string, waiting: number): void {
  useEffect(() => {
    const name = `${title} - 运营后台`;
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [title, waiting]);
}

/** What the address asks for: a screen in the frame of all, or that there is none. */
function Furnished({ menus }: HeldProps) {
  const { pathname } = useLocation();
  const { opens, ...granted } = useGranted({ menus });
  const opened = useTabs(opens);
  const trail = trailOf(menus, pathname);
  useTitle(trail.at(-1) ?? '找不到页面', useNews());
  if (pathname === '/main' || pathname === '/main/') return <Navigate to={landingPath(menus)} replace />;
  if (opens(pathname)) return <Frame {...{ menus, pathname, trail, ...granted, ...opened }} />;
  return (
    <div className="shell-lost">
      <TrialBanner />
      <NotFound />
    </div>
  );
}

interface FrameProps extends HeldProps, ReturnType<typeof useTabs> {
  readonly pathname: string;
  readonly trail: readonly string[];
  readonly codes: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  readonly titleOf: (path: string) => string;
}

/** What stands around the screens, and the screens of all tabs. */
function Frame({ menus, pathname, trail, codes, paths, titleOf, ...opened }: FrameProps) {
  const { tabs, actions } = opened;
  const { collapsed, toggle, veiled } = useCollapsed(pathname);
  const palette = usePalette();
  /** A screen that is open elsewhere is shown as it was left; the one on screen begins anew. */
  const addressFor = (path: string): string => {
    const left = path === pathname ? undefined : tabs.list.findLast((tab) => tab.path === path);
    return left ? addressOf(left) : path;
  };
  return (
    <IconProvider value={icons}>
      <CodesContext value={codes}>
        <PathsContext value={paths}>
          <div className="shell">
            <SideBar menus={menus} path={pathname} collapsed={collapsed} addressFor={addressFor} />
            {veiled && <button type="button" className="shell-veil" aria-label="收起菜单" onClick={toggle} />}
            <div className="shell-main">
              <TopBar trail={trail} collapsed={collapsed} onToggle={toggle} onFind={palette.open} />
              <TrialBanner />
              <TabBar tabs={tabs} actions={actions} titleOf={titleOf} />
              <Panels {...opened} titleOf={titleOf} />
            </div>
          </div>
          {palette.isOpen && (
            <Failsafe
              onBroken={() => {
                tellUnopened();
                palette.close();
              }}
            >
              <Palette held={{ menus, paths, codes, addressFor }} onClose={palette.close} />
            </Failsafe>
          )}
          <Watermark />
          <Overlays askForCode={AskForCode} />
        </PathsContext>
      </CodesContext>
    </IconProvider>
  );
}

/** The screens of the tabs that were shown since the page was loaded. */
const Panels = ({ tabs, drawn, titleOf }: Pick<FrameProps, 'tabs' | 'drawn' | 'titleOf'>) => (
  <main className="tab-panels">
    {tabs.list
      .filter(({ id }) => drawn.has(id))
      .map((tab) => (
        <TabPanel key={tab.id} tab={tab} shown={tab.id === tabs.active} label={titleOf(tab.path)} />
      ))}
  </main>
);
