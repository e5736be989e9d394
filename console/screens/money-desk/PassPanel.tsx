import { type FormEvent, useId, useState } from 'react';
import { reviewDeposit } from '#contract/deposits.ts';
import type { DeskOrder } from '#contract/money-desk.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { useCommand } from '../../kit/call/index.ts';
import { moneyText, TextInput } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import type { PanelProps } from './Decision.tsx';
import { Failure, ownField } from './Failure.tsx';

/** Who pays, as it was entered last: a cashier pays one order after the other from the same account. */
let payer = { fromName: '', fromAccountNo: '' };

const Balance = ({ order: { balanceBefore, balanceAfter } }: DeskOrder) => (
  <p>
    账户总金额{' '}
    <output>
      {moneyText(balanceBefore ?? '')} → {moneyText(balanceAfter ?? '')}
    </output>
  </p>
);

interface Ending extends Pick<PanelProps, 'onClose' | 'leaving'> {
  readonly word: string;
  readonly failure: ReturnType<typeof useCommand>['failure'];
  readonly running: boolean;
}

/** The last look before money moves. A key opened it with the keyboard on its button, so that Enter does it. */
function Confirm({ failure, running, word, onClose, leaving }: Ending) {
  return (
    <>
      <Failure failure={failure} fields={['fromName', 'fromAccountNo', 'remark']} />
      {leaving ?? (
        <div className="desk-keys">
          <Button type="submit" tone="primary" autoFocus aria-disabled={running}>
            {word}（Enter）
          </Button>
          <Button onClick={onClose}>取消（Esc）</Button>
        </div>
      )}
    </>
  );
}

export function PassDeposit({ order, onDone, onClose, onSend, leaving }: PanelProps) {
  const { attempt, running, failure } = useCommand(reviewDeposit, { loading: false });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const outcome = await onSend(attempt({ id: order.order.id, action: 'PASS' }));
    if (outcome && 'data' in outcome) onDone(false);
  };
  return (
    <form aria-label="通过" className="desk-panel" onSubmit={(event) => void submit(event)} noValidate>
      <Balance {...order} />
      <Confirm {...{ failure, running, onClose, leaving }} word="确认通过" />
    </form>
  );
}

export function PayWithdrawal({ order, onDone, onClose, onEnter, onSend, leaving }: PanelProps) {
  const id = useId();
  const [values, setValues] = useState(payer);
  const { attempt, running, failure, correct } = useCommand(markWithdrawal, {
    loading: false,
    fields: Object.keys(payer),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    payer = values;
    const outcome = await onSend(attempt({ id: order.order.id, action: 'PAID', ...values }));
    if (outcome && 'data' in outcome) onDone(false);
    if (outcome && 'submitted' in outcome) onDone(true);
  };
  const field = (name: keyof typeof payer, label: string) => (
    <div className="desk-field">
      <label htmlFor={id + name}>{label}</label>
      <TextInput
        id={id + name}
        value={values[name]}
        onChange={(value) => {
          const entered = { ...values, [name]: value };
          setValues(entered);
          correct(name);
          onEnter(entered.fromName !== payer.fromName || entered.fromAccountNo !== payer.fromAccountNo);
        }}
      />
      {ownField(failure, name)}
    </div>
  );
  return (
    <form aria-label="已打款" className="desk-panel" onSubmit={(event) => void submit(event)} noValidate>
      <Balance {...order} />
      {field('fromName', '付款人姓名')}
      {field('fromAccountNo', '付款账号')}
      <Confirm {...{ failure, running, onClose, leaving }} word="确认已打款" />
    </form>
  );
}
