import { wordOf } from '#contract/fields.ts';
import { listTurnoverRequirements, TurnoverRequirement } from '#contract/turnover-requirements.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { moneyText } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';

const headings = [
  '来源',
  ...['金额', '倍数', '流水要求', '已完成', '待完成'].map((number) => ({ number })),
  '时间',
];

/** What a player has still to turn over before they may withdraw. */
export function Requirements({ userId }: { readonly userId: number }) {
  const { data } = useEndpoint(listTurnoverRequirements, { userId }, { loading: false });
  if (!data) return null;
  if (data.length === 0) return <p>没有待完成的流水要求，可以提现。</p>;
  return (
    <DetailTable headings={headings}>
      {data.map(({ id, kind, amount, times, required, played, rest, createTime }) => (
        <tr key={id}>
          <td>{wordOf(TurnoverRequirement.shape.kind, kind)}</td>
          <td>{moneyText(amount)}</td>
          <td>{times}</td>
          <td>{moneyText(required)}</td>
          <td>{moneyText(played)}</td>
          <td>{moneyText(rest)}</td>
          <td>{createTime}</td>
        </tr>
      ))}
    </DetailTable>
  );
}
