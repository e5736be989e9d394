import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { Failsafe } from './Failsafe.tsx';

afterEach(() => vi.unstubAllGlobals());

/** What stands in place of a part that broke. */
function broken(): string {
  const failsafe = new Failsafe({ children: '一页' });
  failsafe.state = Failsafe.getDerivedStateFromError();
  return renderToStaticMarkup(failsafe.render());
}

test('a part that broke is told from one that could not be fetched without a network', () => {
  expect(broken()).toContain('可能是系统刚刚升级');
  vi.stubGlobal('navigator', { onLine: false });
  expect(broken()).toContain('网络已断开');
});
