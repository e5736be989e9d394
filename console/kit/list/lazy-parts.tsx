import { type ComponentProps, Suspense } from 'react';
import { Fetching } from '../overlay/Fetching.tsx';
import { fetched } from '../overlay/fetched.tsx';
import type { BulkBar } from './BulkBar.tsx';
import type { RowDrawer } from './RowDrawer.tsx';

const Bulk = fetched(() => import('./BulkBar.tsx').then((m) => m.BulkBar));
const Drawer = fetched(() => import('./RowDrawer.tsx').then((m) => m.RowDrawer));

// Lists stand before these are there: what only some operators open at some time is loaded then.

export const LazyBulkBar = <R extends object>(props: ComponentProps<typeof BulkBar<R>>) => (
  // Rows must not move from under the mouse when it comes.
  <Suspense fallback={<div className="bulk-bar" />}>
    <Bulk {...(props as object as ComponentProps<typeof BulkBar<object>>)} />
  </Suspense>
);

export const LazyRowDrawer = <R extends object>(props: ComponentProps<typeof RowDrawer<R>>) => (
  <Suspense fallback={<Fetching over />}>
    <Drawer {...(props as object as ComponentProps<typeof RowDrawer<object>>)} />
  </Suspense>
);
