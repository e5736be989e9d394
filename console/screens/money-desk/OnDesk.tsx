import { type RefObject, useEffect, useRef } from 'react';
import { type DeskOrder, getDeskOrder, type OrderKey, orderName } from '#contract/money-desk.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { useFresh } from '../../parts/use-fresh.ts';
import { Decision, type Hold } from './Decision.tsx';
import { useDecidedKinds } from './decided-kinds.ts';
import { Facts } from './Facts.tsx';
import { isSame } from './use-desk.ts';

/** Of orders it is told at once; what becomes of the player meanwhile is seen so often. */
const POLL_MS = 15_000;

const outcome = { SUCCESS: '已处理', FAIL: '已被拒绝' } as const;

const NO_RIGHT = '您已没有处理该订单的权限';

/** Why an order that lay on the desk is not its operator's any more. */
function goneBecause({ order, taker, own, submitted }: DeskOrder, may: boolean): string | null {
  if (!may) return NO_RIGHT;
  if (order.status !== 'PROCESSING') return `该订单${outcome[order.status]}（${order.reviewer ?? ''}）`;
  if (submitted) return '该订单的处理正待复核';
  if (taker !== null && !own) return `该订单已由 ${taker} 接手`;
  return null;
}

interface OnDeskProps {
  readonly current: OrderKey;
  readonly desk: RefObject<HTMLElement | null>;
  readonly onDone: (submitted: boolean) => void;
  readonly onHold: (hold: Hold) => void;
}

/** The order on the desk: what is known of it, and what to do with it. */
export function OnDesk({ current, desk, onDone, onHold }: OnDeskProps) {
  const may = useDecidedKinds().includes(current.kind);
  const polled = { loading: false, everyMs: POLL_MS, enabled: may };
  const { data, refetch } = useEndpoint(getDeskOrder, current, polled);
  useFresh(['deposit', 'withdrawal', 'approval'], () => may && void refetch());
  // What is shown is decided: never one order under the number of another.
  const isHere = data !== undefined && isSame(current, { kind: data.kind, id: data.order.id });
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // The order before took the keyboard with it, or nothing has had it yet: this one has it, and is read out.
    if (isHere && document.activeElement?.matches('body, .tab-panel'))
      article.current?.focus({ preventScroll: true });
  }, [isHere]);
  if (!isHere) return <p className="desk-empty">{may ? `正在读取${orderName(current)}…` : NO_RIGHT}</p>;
  const gone = goneBecause(data, may);
  return (
    <article ref={article} aria-label={orderName(current)} className="desk-order" tabIndex={-1}>
      <h2>
        {orderName(current)}
        {data.own && <small>领取至 {data.takenUntil}</small>}
      </h2>
      {gone === null ? (
        <Decision order={data} {...{ desk, onDone, onHold }} />
      ) : (
        <p role="alert" className="desk-gone">
          {gone}
        </p>
      )}
      <Facts order={data} />
    </article>
  );
}
