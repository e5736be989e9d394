import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { DeskOrder } from '#contract/money-desk.ts';
import { Leaving, useHeld } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { PassDeposit, PayWithdrawal } from './PassPanel.tsx';
import { RejectPanel } from './RejectPanel.tsx';
import { useKeys } from './use-keys.ts';

/** Why an order stays on the desk: something is typed that leaving would lose, or its decision is on its way. */
export type Hold = 'typed' | 'sent' | null;

/** What a panel decides, and what becomes of it: `submitted` waits for a second operator. */
export interface PanelProps {
  readonly order: DeskOrder;
  readonly onDone: (submitted: boolean) => void;
  readonly onClose: () => void;
  /** Told as something is typed: whether it would be lost. */
  readonly onEnter: (holds: boolean) => void;
  /** Takes what is sent, which cannot be given up any more. */
  readonly onSend: <T>(sent: Promise<T>) => Promise<T>;
  /** What stands in place of its buttons while it is asked whether that may be lost. */
  readonly leaving: ReactNode;
}

interface DecisionProps extends Pick<PanelProps, 'order' | 'onDone'> {
  readonly desk: RefObject<HTMLElement | null>;
  /** Told why the order stays, if it does. */
  readonly onHold: (hold: Hold) => void;
}

/** The ways an order can be decided, each with its key, and what each of them asks first. */
export function Decision({ order, desk, onDone, onHold }: DecisionProps) {
  const [open, setOpen] = useState<'pass' | 'reject' | null>(null);
  const [holds, setHolds] = useState(false);
  /** How much is on its way: Enter pressed twice sends nothing twice, but ends at once. */
  const [sent, setSent] = useState(0);
  const [asks, setAsks] = useState(false);
  const sends = sent > 0;
  useHeld(holds || sends);
  useEffect(() => {
    onHold(sends ? 'sent' : holds ? 'typed' : null);
    return () => onHold(null);
  }, [holds, sends, onHold]);
  const onEnter = (now: boolean) => {
    setHolds(now);
    setAsks(false);
  };
  const leave = () => {
    onEnter(false);
    setOpen(null);
  };
  const onClose = () => {
    // What becomes of it is told here.
    if (sends) return;
    if (holds) setAsks(true);
    else leave();
  };
  const onSend: PanelProps['onSend'] = async (answer) => {
    setSent((count) => count + 1);
    try {
      return await answer;
    } finally {
      setSent((count) => count - 1);
    }
  };
  useKeys(desk, {
    p: open === null ? () => setOpen('pass') : undefined,
    r: open === null ? () => setOpen('reject') : undefined,
    escape: open === null ? undefined : onClose,
  });
  const leaving = asks ? <Leaving onStay={() => setAsks(false)} onLeave={leave} /> : null;
  const panel = { order, onDone, onClose, onEnter, onSend, leaving };
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
