import '#console/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { queryClient } from '#console/kit/query-client.ts';
import { AntdTable, Ours, tableHtml } from './contestants.tsx';
import { ledgerRows, treeRows } from './rows.ts';

declare global {
  interface Window {
    /** Puts rows on an empty page and answers the milliseconds until they are painted (two frames). */
    paint: (contestant: string, shape: string) => Promise<number>;
  }
}

const twoFrames = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

const element = document.getElementById('root');
if (!element) throw new Error('no #root');

const inside = (node: ReactNode) => (
  <QueryClientProvider client={queryClient}>
    <MemoryRouter>
      <ConfigProvider componentSize="small">{node}</ConfigProvider>
    </MemoryRouter>
  </QueryClientProvider>
);

window.paint = async (contestant, shape) => {
  const rows = shape === 'tree' ? treeRows() : ledgerRows(Number(shape));
  let root: Root | undefined;
  if (contestant !== 'innerHTML') {
    root = createRoot(element);
    const mounted = root;
    flushSync(() => mounted.render(inside(null)));
  }
  await twoFrames();
  const start = performance.now();
  if (root) {
    const node = contestant === 'ours' ? <Ours rows={rows} /> : <AntdTable rows={rows} />;
    const mounted = root;
    flushSync(() => mounted.render(inside(node)));
  } else element.innerHTML = tableHtml(rows);
  await twoFrames();
  const spent = performance.now() - start;
  root?.unmount();
  element.innerHTML = '';
  await twoFrames();
  return spent;
};
