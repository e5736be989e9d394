import '#console/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { queryClient } from '#console/kit/call/query-client.ts';
import { AntdTable, Ours, tableHtml } from './contestants.tsx';
import { OurPlayWays, playWaysHtml } from './play-ways.tsx';
import { ledgerRows, playWayRows, treeRows } from './rows.ts';

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

function ledger(shape: string, contestant: string) {
  const rows = shape === 'tree' ? treeRows() : ledgerRows(Number(shape));
  const list = contestant === 'ours' ? <Ours rows={rows} /> : <AntdTable rows={rows} />;
  return { html: () => tableHtml(rows), list };
}

function playWays() {
  const rows = playWayRows();
  return { html: () => playWaysHtml(rows), list: <OurPlayWays rows={rows} /> };
}

window.paint = async (contestant, shape) => {
  const { html, list } = shape === 'play ways' ? playWays() : ledger(shape, contestant);
  let root: Root | undefined;
  if (contestant !== 'innerHTML') {
    root = createRoot(element);
    const mounted = root;
    flushSync(() => mounted.render(inside(null)));
  }
  await twoFrames();
  const start = performance.now();
  if (root) {
    const mounted = root;
    flushSync(() => mounted.render(inside(list)));
  } else element.innerHTML = html();
  await twoFrames();
  const spent = performance.now() - start;
  root?.unmount();
  element.innerHTML = '';
  await twoFrames();
  return spent;
};
