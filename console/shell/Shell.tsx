import { IconProvider } from '@ant-design/icons';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Failsafe } from '../kit/Failsafe.tsx';
import { readCache, writeCache } from '../kit/local-cache.ts';
import { grantedPaths, heldCodes, landingPath, mayOpen, trailOf } from '../kit/menu-tree.ts';
import { csp } from '../kit/nonce.ts';
import { Overlays } from '../kit/Overlays.tsx';
import { dropOverlays } from '../kit/overlays.ts';
import { hasSession } from '../kit/session.ts';
import { CodesContext, PathsContext, useMenus } from '../kit/use-menus.ts';
import { NotFound } from './NotFound.tsx';
import { SideBar } from './SideBar.tsx';
import { TopBar } from './TopBar.tsx';
import './shell.css';

const COLLAPSED = 'collapsed';

const icons = { csp };

/** Everything behind the login: only for those who have a session, and only what their menus grant. */
export function Shell() {
  return hasSession() ? <Inside /> : <Navigate to="/login" replace />;
}

function Inside() {
  const { pathname } = useLocation();
  const menus = useMenus();
  const codes = useMemo(() => heldCodes(menus ?? []), [menus]);
  const paths = useMemo(() => grantedPaths(menus ?? []), [menus]);
  const [collapsed, setCollapsed] = useState(() => readCache<boolean>(COLLAPSED) ?? false);
  const trail = trailOf(menus ?? [], pathname);
  const title = trail.at(-1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is open belongs to the path it was opened on
  useEffect(() => dropOverlays, [pathname]);
  useEffect(() => {
    document.title = title ? `${title} - 运营后台` : '运营后台';
  }, [title]);

  if (!menus) return <div className="shell" />;
  if (pathname === '/main' || pathname === '/main/') return <Navigate to={landingPath(menus)} replace />;
  if (!mayOpen(menus, pathname)) return <NotFound />;

  const toggle = () => {
    writeCache(COLLAPSED, !collapsed);
    setCollapsed(!collapsed);
  };
  return (
    <IconProvider value={icons}>
      <CodesContext value={codes}>
        <PathsContext value={paths}>
          <div className="shell">
            <SideBar menus={menus} path={pathname} collapsed={collapsed} />
            <div className="shell-main">
              <TopBar trail={trail} collapsed={collapsed} onToggle={toggle} />
              <main className="shell-content">
                <Failsafe key={pathname}>
                  <Suspense fallback={null}>
                    <Outlet />
                  </Suspense>
                </Failsafe>
              </main>
            </div>
          </div>
          <Overlays />
        </PathsContext>
      </CodesContext>
    </IconProvider>
  );
}
