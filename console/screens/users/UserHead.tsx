import { Fragment, type ReactNode } from 'react';
import type { UserPage } from '#contract/user-pages.ts';
import { Money, RowLink } from '../../kit/list/index.ts';
import { Absent, PlaceContext } from '../../kit/overlay/index.ts';
import { MoveMoney } from '../../parts/money/MoveMoney.tsx';
import { AddChat } from '../../parts/users/AddChat.tsx';
import { BettingState } from '../../parts/users/BettingState.tsx';
import { MayBet } from '../../parts/users/MayBet.tsx';
import { PinnedNotes } from './PinnedNotes.tsx';
import { WaitingWithdrawals } from './WaitingWithdrawals.tsx';

/** The player's agent and those above, the nearest first. */
const Agents = ({ agents }: Pick<UserPage, 'agents'>) =>
  agents.length === 0 ? (
    <Absent />
  ) : (
    agents.map(({ agentId, name }, place) => (
      <Fragment key={agentId}>
        {place > 0 && ' ‹ '}
        <RowLink noun="agent" row={{ id: agentId }}>
          {name ?? String(agentId)}
        </RowLink>
      </Fragment>
    ))
  );

const Parent = ({ parent }: Pick<UserPage, 'parent'>) =>
  parent ? (
    <RowLink noun="user" row={{ id: parent.userId }}>
      {`${parent.nickName}（${parent.userId}）`}
    </RowLink>
  ) : (
    <Absent />
  );

function factsOf({ user, account, agents, parent, invited, invitedMore }: UserPage): [string, ReactNode][] {
  const { level, realName, phone, email, createTime } = user;
  return [
    ['总金额', <Money key="total" value={account.totalAmount} />],
    ['可用余额', <Money key="available" value={account.availableAmount} />],
    ['冻结金额', <Money key="frozen" value={account.freezeAmount} />],
    ['欠款', <Money key="debt" value={account.debt} />],
    ['等级', level],
    ['代理', <Agents key="agents" agents={agents} />],
    ['上级', <Parent key="parent" parent={parent} />],
    ['邀请人数', invitedMore ? `超过 ${invited}` : invited],
    ['真实姓名', realName ?? <Absent />],
    ['手机号', phone ?? <Absent />],
    ['邮箱', email ?? <Absent />],
    ['注册时间', createTime],
  ];
}

/** Who a player is, how they stand, what can be done, and why their withdrawals wait. */
export function UserHead({ page }: { readonly page: UserPage }) {
  const { user, account, pinned } = page;
  return (
    <header className="row-head">
      <div className="row-title">
        <h1>{user.nickName}</h1>
        <span>{user.username ? `${user.username}（${user.id}）` : user.id}</span>
        <MayBet user={user} />
        <PlaceContext value="toolbar">
          <span className="row-does">
            <MoveMoney account={account} />
            <BettingState user={user} />
            <AddChat user={user} />
          </span>
        </PlaceContext>
      </div>
      <dl className="row-facts">
        {factsOf(page).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <WaitingWithdrawals page={page} />
      <PinnedNotes notes={pinned} />
    </header>
  );
}
