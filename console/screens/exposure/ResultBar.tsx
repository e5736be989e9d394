import type { ReactNode } from 'react';

interface BarProps {
  readonly amount: string;
  /** What a full bar stands for. */
  readonly most: number;
  readonly warns?: boolean;
  readonly children: ReactNode;
}

/** An amount above a bar of its size: what the house wins, or loses. */
export function Bar({ amount, most, warns = false, children }: BarProps) {
  const share = most > 0 ? Math.min(1, Math.abs(Number(amount)) / most) : 0;
  const tone = Number(amount) < 0 ? 'loss' : 'gain';
  return (
    <span className={`result-bar ${tone}${warns ? ' warns' : ''}`}>
      <span>{children}</span>
      <meter min={0} max={100} value={Math.round(share * 100)} aria-hidden="true" />
    </span>
  );
}
