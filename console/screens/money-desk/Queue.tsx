import { wordOf } from '#contract/fields.ts';
import { type DeskItem, type MoneyDesk, type OrderKey, orderKind, orderName } from '#contract/money-desk.ts';
import { moneyText, Tag } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { ageOf } from '../../parts/words.ts';
import { isSame } from './use-desk.ts';

/** With so little left of what was promised it is time. */
const SOON_SECONDS = 300;

/** How an order stands to what was promised, as a colour. */
export const urgencyOf = (left: number | null): 'good' | 'warn' | 'bad' | 'idle' => {
  if (left === null) return 'idle';
  if (left < 0) return 'bad';
  return left < SOON_SECONDS ? 'warn' : 'good';
};

const promised = (left: number): string => (left < 0 ? `已超时 ${ageOf(-left)}` : `还剩 ${ageOf(left)}`);

/** How long an order has waited and what is left of what was promised. */
export function Age({ age, left }: Pick<DeskItem, 'age' | 'left'>) {
  const told = left === null ? `已等 ${ageOf(age)}` : `已等 ${ageOf(age)}，${promised(left)}`;
  return <Tag tone={urgencyOf(left)}>{told}</Tag>;
}

interface QueueProps {
  readonly desk: MoneyDesk;
  readonly current: OrderKey | null;
  readonly busy: boolean;
  readonly onTake: (key: OrderKey, over: boolean) => void;
}

const stateOf = ({ taker, own, submitted }: DeskItem): string | null => {
  if (submitted) return '待复核';
  if (taker === null) return null;
  return own ? '由我处理' : `${taker} 处理中`;
};

function Line({ item, current, busy, onTake }: { readonly item: DeskItem } & Omit<QueueProps, 'desk'>) {
  const { userId, username, amount, taker, own, submitted } = item;
  const state = stateOf(item);
  const others = taker !== null && !own;
  const verb = others ? '接手' : '领取';
  const isCurrent = isSame(current, item);
  return (
    <li aria-current={isCurrent || undefined} data-taken={others || submitted || undefined}>
      <span className="desk-line-what">
        <Tag tone={item.kind === 'DEPOSIT' ? 'good' : 'busy'}>{wordOf(orderKind, item.kind)}</Tag>
        <span>{item.id}</span>
        <strong>{moneyText(amount)}</strong>
      </span>
      <span className="desk-line-who">{username ?? `用户 ${userId}`}</span>
      <Age age={item.age} left={item.left} />
      <span className="desk-line-state">
        {state}
        {!submitted && !isCurrent && (
          <Button
            aria-disabled={busy}
            aria-label={`${verb}${orderName(item)}`}
            onClick={() => onTake(item, others)}
          >
            {verb}
          </Button>
        )}
      </span>
    </li>
  );
}

/** Every order that waits, the most urgent first, with who has taken it. */
export function Queue({ desk, ...rest }: QueueProps) {
  const { orders } = desk;
  if (orders.length === 0) return <p className="desk-empty">没有待处理的订单</p>;
  return (
    <ul className="desk-lines">
      {orders.map((item) => (
        <Line key={`${item.kind} ${item.id}`} item={item} {...rest} />
      ))}
    </ul>
  );
}
