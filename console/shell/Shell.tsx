import { IconProvider } from '@ant-design/icons';
import { use, useCallback, useEffect, useMemo } from 'react';
import { Navigate, useLocation } from 'react-router';
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
import { csp, dropOverlays, NotLoaded, Overlays, ScreenContext } from '../kit/overlay/index.ts';
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

const icons = { csp };

/** Everything behind the login: only for those who have a session, and only what their menus grant. */
export function Shell() {
  return hasSession() ? <Inside /> : <Navigate to="/login" replace />;
}

function Inside() {
  const { pathname } = useLocation();
  const { menus, failure, readAgain } = useReadMenus();
  const codes = useMemo(() => heldCodes(menus ?? []), [menus]);
  const paths = useMemo(() => grantedPaths(menus ?? []), [menus]);
  const { collapsed, toggle, veiled } = useCollapsed(pathname);
  const trail = trailOf(menus ?? [], pathname);
  const title = trail.at(-1);

  const drawable = use(ScreenContext);
  const open = useCallback(
    (path: string) => menus !== undefined && mayOpen(menus, path) && drawable.has(path),
    [menus, drawable],
  );
  const { tabs, drawn, actions } = useTabs(open);
  const titleOf = useCallback((path: string) => trailOf(menus ?? [], path).at(-1) ?? path, [menus]);

  const palette = usePalette();
  const waiting = useNews();
  useEffect(() => dropOverlays, []);
  useEffect(() => {
    const name = title ? `${title} - 运营后台` : '运营后台';
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [title, waiting]);

  if (!menus) {
    return (
      <div className="shell shell-unread">
        {failure && <NotLoaded title="菜单加载失败" text={failure.message} onRetry={readAgain} />}
      </div>
    );
  }
  if (pathname === '/main' || pathname === '/main/') return <Navigate to={landingPath(menus)} replace />;
  if (!open(pathname))
    return (
      <div className="shell-lost">
        <TrialBanner />
        <NotFound />
      </div>
    );

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
              <main className="tab-panels">
                {tabs.list
                  .filter(({ id }) => drawn.has(id))
                  .map((tab) => (
                    <TabPanel
                      key={tab.id}
                      tab={tab}
                      shown={tab.id === tabs.active}
                      label={titleOf(tab.path)}
                    />
                  ))}
              </main>
            </div>
          </div>
          {palette.isOpen && <Palette held={{ menus, paths, codes, addressFor }} onClose={palette.close} />}
          <Watermark />
          <Overlays askForCode={AskForCode} />
        </PathsContext>
      </CodesContext>
    </IconProvider>
  );
}
