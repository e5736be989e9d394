import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { reviewDeposit } from '#contract/deposits.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { useCommand } from '../../kit/call/index.ts';
import { TextArea } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import type { PanelProps } from './Decision.tsx';
import { Failure, ownField } from './Failure.tsx';
import { useKeys } from './use-keys.ts';

const options = { loading: false, fields: ['remark'] };

/** Rejects an order, of either kind. */
function useRejection({ kind, order: { id } }: PanelProps['order']) {
  const deposit = useCommand(reviewDeposit, options);
  const withdrawal = useCommand(markWithdrawal, options);
  const { running, failure, correct } = kind === 'DEPOSIT' ? deposit : withdrawal;
  const reject = async (remark: string): Promise<boolean> => {
    const input = { id, action: 'REJECT', remark } as const;
    const outcome = kind === 'DEPOSIT' ? await deposit.attempt(input) : await withdrawal.attempt(input);
    return outcome !== undefined && 'data' in outcome;
  };
  return { reject, running, failure, correct };
}

interface ReasonsProps {
  readonly reasons: readonly string[];
  readonly onChoose: (reason: string) => void;
}

/** What is often said, each with its digit. */
function Reasons({ reasons, onChoose }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <ul aria-label="常用原因" className="desk-reasons">
      {reasons.map((reason, place) => (
        <li key={reason}>
          <Button onClick={() => onChoose(reason)}>
            {reason}（{place + 1}）
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Asks why. A digit chooses a reason that is given often, Enter rejects with it; what is typed is only typed. */
export function RejectPanel({ order, onDone, onClose, onEnter, onSend, leaving }: PanelProps) {
  const id = useId();
  const panel = useRef<HTMLFormElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const [remark, setRemark] = useState('');
  const { reject, running, failure, correct } = useRejection(order);
  const { reasons } = order;

  const enter = (text: string) => {
    setRemark(text);
    correct('remark');
    onEnter(text !== '');
  };
  const choose = (reason: string) => {
    enter(reason);
    confirm.current?.focus();
  };
  useKeys(
    panel,
    Object.fromEntries(reasons.map((reason, place) => [String(place + 1), () => choose(reason)])),
  );
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('button, textarea')?.focus();
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onSend(reject(remark))) onDone(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) panel.current?.requestSubmit();
  };
  return (
    <form
      ref={panel}
      aria-label="拒绝"
      className="desk-panel"
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <Reasons reasons={reasons} onChoose={choose} />
      <div className="desk-field">
        <label htmlFor={id}>拒绝原因</label>
        <TextArea id={id} value={remark} onKeyDown={onKeyDown} onChange={enter} />
        {ownField(failure, 'remark')}
      </div>
      <Failure failure={failure} fields={['remark']} />
      {leaving ?? (
        <div className="desk-keys">
          <Button ref={confirm} type="submit" tone="danger" aria-disabled={running}>
            确认拒绝（Enter）
          </Button>
          <Button onClick={onClose}>取消（Esc）</Button>
        </div>
      )}
    </form>
  );
}
