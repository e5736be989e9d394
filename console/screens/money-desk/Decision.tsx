import { type RefObject, useState } from 'react';
import type { DeskOrder } from '#contract/money-desk.ts';
import { Button } from '../../kit/overlay/index.ts';
import { PassDeposit, PayWithdrawal } from './PassPanel.tsx';
import { RejectPanel } from './RejectPanel.tsx';
import { useKeys } from './use-keys.ts';

/** What a panel decides, and what becomes of it: `submitted` waits for a second operator. */
export interface PanelProps {
  readonly order: DeskOrder;
  readonly onDone: (submitted: boolean) => void;
  readonly onClose: () => void;
}

interface DecisionProps extends Omit<PanelProps, 'onClose'> {
  readonly desk: RefObject<HTMLElement | null>;
}

/** The ways an order can be decided, each with its key, and what each of them asks first. */
export function Decision({ order, desk, onDone }: DecisionProps) {
  const [open, setOpen] = useState<'pass' | 'reject' | null>(null);
  const close = () => setOpen(null);
  useKeys(desk, {
    p: open === null ? () => setOpen('pass') : undefined,
    r: open === null ? () => setOpen('reject') : undefined,
    escape: open === null ? undefined : close,
  });
  const panel = { order, onDone, onClose: close };
  const isDeposit = order.kind === 'DEPOSIT';
  if (open === 'reject') return <RejectPanel {...panel} />;
  if (open === 'pass') return isDeposit ? <PassDeposit {...panel} /> : <PayWithdrawal {...panel} />;
  return (
    <div className="desk-keys">
      <Button tone="primary" onClick={() => setOpen('pass')}>
        {isDeposit ? '通过' : '已打款'}（P）
      </Button>
      <Button tone="danger" onClick={() => setOpen('reject')}>
        拒绝（R）
      </Button>
    </div>
  );
}
