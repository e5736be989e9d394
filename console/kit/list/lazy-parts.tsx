import { type ComponentProps, lazy, Suspense } from 'react';
import type { BulkBar } from './BulkBar.tsx';
import type { RowDrawer } from './RowDrawer.tsx';

const Bulk = lazy(() => import('./BulkBar.tsx').then((m) => ({ default: m.BulkBar })));
const Drawer = lazy(() => import('./RowDrawer.tsx').then((m) => ({ default: m.RowDrawer })));

// Lists stand before these are there: what only some operators open at some time is loaded then.

export const LazyBulkBar = <R extends object>(props: ComponentProps<typeof BulkBar<R>>) => (
  <Suspense fallback={null}>
    <Bulk {...(props as object as ComponentProps<typeof BulkBar<object>>)} />
  </Suspense>
);

export const LazyRowDrawer = <R extends object>(props: ComponentProps<typeof RowDrawer<R>>) => (
  <Suspense fallback={null}>
    <Drawer {...(props as object as ComponentProps<typeof RowDrawer<object>>)} />
  </Suspense>
);
