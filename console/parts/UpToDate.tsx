import type { ReactNode } from 'react';
import './up-to-date.css';

interface UpToDateProps {
  readonly error: { readonly message: string } | null;
  /** How things stand; nothing while they were never read. */
  readonly children: ReactNode;
}

/** The line of a screen that is read again and again: how things stand, or that what is shown may not be so any more. */
export const UpToDate = ({ error, children }: UpToDateProps) => (
  <p role="status" className="up-to-date" data-stale={error ? true : undefined}>
    {error ? `数据未能更新：${error.message}` : (children ?? '正在读取…')}
  </p>
);
