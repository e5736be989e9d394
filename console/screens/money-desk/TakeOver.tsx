import type { OrderKey } from '#contract/money-desk.ts';
import { Button, Dialog, useCloseDialog } from '../../kit/overlay/index.ts';
import { nameOf } from './Queue.tsx';

/** Asks before an order is taken from somebody who is at work on it. */
export function TakeOver({ order, onYes }: { readonly order: OrderKey; readonly onYes: () => void }) {
  const close = useCloseDialog();
  const yes = () => {
    close();
    onYes();
  };
  return (
    <Dialog title={`接手${nameOf(order)}`} width={440}>
      <p className="dialog-text">该订单正由另一名操作员处理。接手后对方不能再处理它，操作会记入操作日志。</p>
      <div className="form-buttons">
        <Button onClick={close}>取消</Button>
        <Button tone="primary" onClick={yes}>
          接手
        </Button>
      </div>
    </Dialog>
  );
}
