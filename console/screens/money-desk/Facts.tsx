import type { ReactNode } from 'react';
import { Deposit } from '#contract/deposits.ts';
import { wordOf } from '#contract/fields.ts';
import { type DeskOrder, orderKind } from '#contract/money-desk.ts';
import { orderStatus } from '#contract/named-fields.ts';
import { moneyText, Tag } from '../../kit/form/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';

type Fact = readonly [label: string, value: ReactNode, warns?: boolean];

/** Facts side by side; what speaks against an order stands out. */
function FactList({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <section aria-label={title} className="desk-facts">
      <h3>{title}</h3>
      <dl>
        {facts.map(([label, value, warns = false]) => (
          <div key={label} data-warns={warns || undefined}>
            <dt>{label}</dt>
            <dd>{value ?? <Absent />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A name that is told and is not the player's own. */
const isForeign = (name: string | null, own: string | null): boolean =>
  name !== null && own !== null && name.trim() !== own.trim();

function orderFacts({ kind, order, player, limits }: DeskOrder): Fact[] {
  const { amount, receiveAccount, fromName, type } = order;
  const { lowest, highest, approval } = limits;
  const isBelow = lowest !== null && Number(amount) < Number(lowest);
  const isAbove = highest !== null && Number(amount) > Number(highest);
  const bounds = [lowest && `最低 ${moneyText(lowest)}`, highest && `最高 ${moneyText(highest)}`].filter(
    Boolean,
  );
  return [
    ['金额', <strong key="amount">{moneyText(amount)}</strong>],
    ['USDT 数量', order.usdtAmount && moneyText(order.usdtAmount)],
    ['方式', type && wordOf(Deposit.shape.type, type)],
    ['三方单号', order.bankOrderNo],
    ...(kind === 'DEPOSIT'
      ? ([
          ['付款人姓名', fromName, isForeign(fromName, player.realName)],
          ['付款账号', order.fromAccountNo],
        ] satisfies Fact[])
      : ([
          ['收款人', receiveAccount?.realName, isForeign(receiveAccount?.realName ?? null, player.realName)],
          ['收款账户别名', receiveAccount?.alias],
          ['收款账号', receiveAccount?.accountNo],
        ] satisfies Fact[])),
    ['单笔限额', bounds.length > 0 ? bounds.join('，') : null, isBelow || isAbove],
    ...(approval ? ([['复核', '通过后须另一名操作员放行', true]] satisfies Fact[]) : []),
    ['提交时间', order.createTime],
  ];
}

function playerFacts({ order: { userId, username }, player, account, paid }: DeskOrder): Fact[] {
  const { frozen, freezeReason, excludedUntil, testAccount } = player;
  return [
    [
      '用户',
      <RowLink key="user" noun="user" row={{ id: userId }}>
        {username ? `${username}（${userId}）` : String(userId)}
      </RowLink>,
    ],
    ['真实姓名', player.realName],
    ['可用余额', moneyText(account.availableAmount)],
    ['冻结金额', moneyText(account.freezeAmount)],
    ['账户总金额', moneyText(account.totalAmount)],
    ['欠款', moneyText(account.debt), Number(account.debt) > 0],
    ['累计充值', moneyText(paid.deposits)],
    ['累计提现', moneyText(paid.withdrawals)],
    ['状态', frozen ? `已冻结：${freezeReason ?? ''}` : '正常', frozen],
    ['自我禁投至', excludedUntil, excludedUntil !== null],
    ['账号', testAccount ? '测试账号' : '真实账号', testAccount],
    ['等级', player.level],
    ['代理编号', player.agentId],
    ['注册时间', player.createTime],
  ];
}

function betFacts({ sinceDeposit, turnoverRest }: DeskOrder): Fact[] {
  const rest: Fact = ['待完成流水', moneyText(turnoverRest), Number(turnoverRest) > 0];
  if (!sinceDeposit) return [['上次充值', '没有成功的充值'], rest];
  const { amount, time, slips, stake, payout, pending, more } = sinceDeposit;
  return [
    ['上次充值', `${moneyText(amount)}（${time}）`],
    ['此后注单数', more ? `至少 ${slips}` : slips],
    ['此后投注额', moneyText(stake), Number(stake) < Number(amount)],
    ['此后派彩', moneyText(payout)],
    ['未结算投注额', moneyText(pending)],
    rest,
  ];
}

const tones = { SUCCESS: 'good', FAIL: 'bad', PROCESSING: 'busy' } as const;

function LastOrders({ last }: Pick<DeskOrder, 'last'>) {
  return (
    <section aria-label="最近订单" className="desk-last">
      <h3>最近订单</h3>
      {last.length === 0 && <p className="desk-empty">没有其他订单</p>}
      <ul>
        {last.map(({ kind, id, amount, status, createTime, reviewer, remark }) => (
          <li key={`${kind} ${id}`}>
            <RowLink noun={kind === 'DEPOSIT' ? 'deposit' : 'withdrawal'} row={{ id }}>
              {`${wordOf(orderKind, kind)} ${id}`}
            </RowLink>
            <strong>{moneyText(amount)}</strong>
            <Tag tone={tones[status]}>{wordOf(orderStatus, status)}</Tag>
            <span>{createTime}</span>
            <span>{[reviewer, remark].filter((part) => part !== null).join('：')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everything needed to decide an order. */
export function Facts({ order }: { readonly order: DeskOrder }) {
  return (
    <>
      <FactList title="订单" facts={orderFacts(order)} />
      <FactList title="用户与账户" facts={playerFacts(order)} />
      <FactList title="充值后的投注" facts={betFacts(order)} />
      <LastOrders last={order.last} />
    </>
  );
}
