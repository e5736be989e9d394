import { openRoutes } from '#contract/screens.ts';
import { Button } from '../kit/overlay/index.ts';
import './not-found.css';

/** For every path that leads nowhere, or nowhere this operator may go. */
export function NotFound() {
  return (
    <main className="not-found">
      <p className="not-found-code" aria-hidden="true">
        404
      </p>
      <h1>找不到页面</h1>
      <p>您访问的页面不存在，或您没有查看它的权限。</p>
      <div className="not-found-buttons">
        <Button tone="primary" onClick={() => location.replace(openRoutes.overview.path)}>
          返回首页
        </Button>
        <Button onClick={() => location.replace('/login')}>重新登录</Button>
      </div>
    </main>
  );
}
