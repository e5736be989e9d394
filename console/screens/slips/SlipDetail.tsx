import type { ReactNode } from 'react';
import { wordOf } from '#contract/fields.ts';
import { settlementKind } from '#contract/settlements.ts';
import { acceptOdds, type Slip, type SlipLine, slipStatus } from '#contract/slips.ts';
import { moneyText } from '../../kit/form/index.ts';
import { Detail, DetailTable, RowLink } from '../../kit/list/index.ts';
import { ScreenLink } from '../../kit/overlay/index.ts';
import '../../parts/bets/bets.css';

/** Odds as they were when the line was placed. */
const oddsText = (odds: SlipLine['odds']): string =>
  typeof odds === 'string' ? odds : odds.map((row) => `${row.number} ${row.odds}`).join('、');

const headings = [
  '玩法',
  '判定',
  '选号',
  { number: '注数' },
  { number: '单注' },
  { number: '投注额' },
  '当时赔率',
  { number: '最高派彩' },
  '结果',
  { number: '派彩' },
  { number: '退还' },
];

function Lines({ lines }: { readonly lines: Slip['lines'] }) {
  return (
    <DetailTable headings={headings}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>{`${line.categoryName} / ${line.subCategoryName} / ${line.playWayName}`}</td>
          <td>{`${line.handlerTitle} 第 ${line.handlerVersion} 版`}</td>
          <td className="slip-selection">{line.selection}</td>
          <td>{line.units}</td>
          <td>{moneyText(line.unitStake)}</td>
          <td>{moneyText(line.stake)}</td>
          <td>{oddsText(line.odds)}</td>
          <td>{moneyText(line.maxPayout)}</td>
          <td>
            {wordOf(slipStatus, line.status)}
            {line.winningUnits > 0 && `（中 ${line.winningUnits} 注）`}
            {line.pushedUnits > 0 && `（退 ${line.pushedUnits} 注）`}
          </td>
          <td>{moneyText(line.payout)}</td>
          <td>{moneyText(line.refund)}</td>
        </tr>
      ))}
    </DetailTable>
  );
}

const settlementHeadings = ['次序', '类型', '结果', { number: '派彩变动' }, { number: '退还变动' }, '时间'];

/** Every settlement that changed the slip, each by what it moved: below zero what it took back. */
function Settlements({ settlements }: { readonly settlements: Slip['settlements'] }) {
  return (
    <DetailTable headings={settlementHeadings} label="历次结算">
      {settlements.map(({ n, settlementId, kind, status, payout, refund, createTime }) => (
        <tr key={n}>
          <td>{n}</td>
          <td>
            <RowLink noun="settlement" row={{ id: settlementId }}>
              {wordOf(settlementKind, kind)}
            </RowLink>
          </td>
          <td>{wordOf(slipStatus, status)}</td>
          <td>{moneyText(payout)}</td>
          <td>{moneyText(refund)}</td>
          <td>{createTime}</td>
        </tr>
      ))}
    </DetailTable>
  );
}

/** Why the slip waits, leading to the settlements of its phase, where that is decided. */
const waits = ({ problem, gameId, phase }: Slip) => (
  <>
    {problem}{' '}
    <ScreenLink to="/main/bet/settlement" search={{ gameId, phase }}>
      该期结算
    </ScreenLink>
  </>
);

/** The number of the slip's movements, leading to them: its stake, and what its first settlement paid. */
const posted = (number: string) => (
  <ScreenLink to="/main/user/account-history" search={{ bizOrderNo: number }} instead={number}>
    {number}
  </ScreenLink>
);

/** What was drawn, what the slip accepted, who took it back and why, and where its money stands; then its lines, and what settlements made of it. */
export function SlipDetail({ slip }: { readonly slip: Slip }) {
  const parts: [string, ReactNode][] = [
    ['开奖时间', slip.drawTime],
    ['开奖结果', slip.result],
    ['赔率变动', wordOf(acceptOdds, slip.acceptOdds)],
    ['暂停原因', slip.problem !== null && waits(slip)],
    ['撤单', slip.cancelledBy && [slip.cancelledBy, slip.cancelReason].filter(Boolean).join('：')],
    ['账变', posted(`B${slip.id}`)],
  ];
  return (
    <>
      <Detail parts={parts} wide />
      <Lines lines={slip.lines} />
      {slip.settlements.length > 0 && <Settlements settlements={slip.settlements} />}
    </>
  );
}
