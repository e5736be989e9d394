import type { UserPage } from '#contract/user-pages.ts';
import { Money, RowLink } from '../../kit/list/index.ts';

/** Why a player's withdrawals wait, or why none could be placed, in the server's own words. */
export function WaitingWithdrawals({ page }: { readonly page: UserPage }) {
  const { barred, withdrawals, withdrawalsMore } = page;
  if (withdrawals.length === 0)
    return barred.length === 0 ? null : <p className="row-told">{`现在不能提现：${barred.join('；')}`}</p>;
  return (
    <ul className="row-told" aria-label="等待中的提现">
      {withdrawals.map(({ withdrawalId, amount, createTime, reasons }) => (
        <li key={withdrawalId}>
          {'提现订单 '}
          <RowLink noun="withdrawal" row={{ id: withdrawalId }}>
            {String(withdrawalId)}
          </RowLink>
          {'，'}
          <Money value={amount} />
          {`，${createTime}：`}
          <strong>{reasons.join('；')}</strong>
        </li>
      ))}
      {withdrawalsMore && <li>还有更多等待中的提现，见“提现订单”。</li>}
    </ul>
  );
}
