import { useState } from 'react';
import { wordOf } from '#contract/fields.ts';
import { pageRebateItems, previewRebates, RebateItem, type RebateRun } from '#contract/rebates.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { moneyText } from '../../kit/form/index.ts';
import { DetailTable, Pager, RowLink } from '../../kit/list/index.ts';

const headings = [
  ...['用户编号', '类型'],
  ...[{ number: '应得' }, { number: '上次结转' }, { number: '发放' }, { number: '结转下次' }],
  ...['入账时间', '说明'],
];

const LEAST = 20;

/** What a run pays and to whom, the most first. */
function Items({ day }: Pick<RebateRun, 'day'>) {
  const [{ page, size }, turn] = useState({ page: 1, size: LEAST });
  const { data } = useEndpoint(
    pageRebateItems,
    { day, currentPage: page, pageSize: size },
    { loading: false },
  );
  if (!data) return null;
  const { totalCount: total, data: items } = data;
  return (
    <>
      <DetailTable headings={headings}>
        {items.map(({ userId, kind, due, carried, amount, rest, postTime, problem }) => (
          <tr key={`${kind} ${userId}`}>
            <td>
              <RowLink noun="user" row={{ id: userId }}>
                {String(userId)}
              </RowLink>
            </td>
            <td>{wordOf(RebateItem.shape.kind, kind)}</td>
            <td>{moneyText(due)}</td>
            <td>{moneyText(carried)}</td>
            <td>{moneyText(amount)}</td>
            <td>{moneyText(rest)}</td>
            <td>{postTime ?? '—'}</td>
            <td>{problem ?? '—'}</td>
          </tr>
        ))}
      </DetailTable>
      {total > LEAST && (
        <Pager {...{ page, size, total }} onTurn={(to, by) => turn({ page: to, size: by })} />
      )}
    </>
  );
}

/** What an operator should know before letting a run be paid, and what it pays. */
export function RebateDetail({ run }: { readonly run: RebateRun }) {
  const { data } = useEndpoint(previewRebates, { day: run.day }, { loading: false });
  if (!data) return null;
  const { warnings, unsettled, corrected } = data;
  return (
    <>
      {unsettled > 0 && <p>{`该日还有 ${unsettled} 张注单未结算，结算后计入之后的返水。`}</p>}
      {corrected.length > 0 && <p>含对 {corrected.join('、')} 的补差。</p>}
      {warnings.map(({ level, categoryId, rate, playWay, returnRate }) => (
        <p key={`${level} ${categoryId}`} role="alert">
          等级 {level} 的返水比例 {rate} 高于玩法“{playWay}”的平台留存（返还率 {returnRate}）。
        </p>
      ))}
      <Items day={run.day} />
    </>
  );
}
