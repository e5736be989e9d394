import { ScreenLink } from '../../kit/ScreenLink.tsx';

/** Ways from a user to their account, ledger and orders. */
export function MoneyLinks({ userId }: { readonly userId: number }) {
  return (
    <>
      <ScreenLink to="/main/user/account" search={{ userId }}>
        账户
      </ScreenLink>
      <OrderLinks userId={userId} />
    </>
  );
}

/** Ways from an account to its ledger and orders. */
export function OrderLinks({ userId }: { readonly userId: number }) {
  return (
    <>
      <ScreenLink to="/main/user/account-history" search={{ userId }}>
        账变记录
      </ScreenLink>
      <ScreenLink to="/main/user/deposit-record" search={{ userId }}>
        充值订单
      </ScreenLink>
      <ScreenLink to="/main/user/withdraw-record" search={{ userId }}>
        提现订单
      </ScreenLink>
    </>
  );
}
