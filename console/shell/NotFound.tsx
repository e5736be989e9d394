import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { openRoutes, screens } from '#contract/screens.ts';
import { forgetFirstCalls, hasSession, needsText, whyHref } from '../kit/call/index.ts';
import { Button } from '../kit/overlay/index.ts';
import './not-found.css';

/** What it would take to open a screen that is there but not granted, and where that is explained. */
function Wanting({ path }: { readonly path: string }) {
  const screen = screens.find((one) => one.path === path);
  if (!screen || !hasSession()) return null;
  const { folder, title } = screen;
  const href = whyHref(path);
  return (
    <p role="alert">
      {needsText([folder === title ? title : `${folder} / ${title}`])}
      {href && <a href={href}> 为什么</a>}
    </p>
  );
}

/** For every path that leads nowhere, or nowhere this operator may go. */
export function NotFound() {
  const { pathname } = useLocation();
  useEffect(() => forgetFirstCalls(pathname), [pathname]);
  return (
    <main className="not-found">
      <p className="not-found-code" aria-hidden="true">
        404
      </p>
      <h1>找不到页面</h1>
      <p>您访问的页面不存在，或您没有查看它的权限。</p>
      <Wanting path={pathname} />
      <div className="not-found-buttons">
        <Button tone="primary" onClick={() => location.replace(openRoutes.overview.path)}>
          返回首页
        </Button>
        <Button onClick={() => location.replace('/login')}>重新登录</Button>
      </div>
    </main>
  );
}
