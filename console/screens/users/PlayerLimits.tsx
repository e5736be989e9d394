import { wordOf } from '#contract/fields.ts';
import { listPlayerLimits, PlayerLimit, setPlayerLimit } from '#contract/player-limits.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { FormButton, moneyText } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';

const { kind, period } = PlayerLimit.shape;
const headings = ['限额', { number: '金额' }, { number: '本期已用' }, { number: '本期剩余' }, '待生效'];
const fields = ['kind', 'period', 'amount', 'reason'] as const;

const moneyOr = (amount: string | null) => (amount === null ? <Absent /> : moneyText(amount));

/** What a limit is to become, and when. */
function Pending({ limit: { nextAmount, nextTime } }: { readonly limit: PlayerLimit }) {
  if (nextTime === null) return <Absent />;
  return `${nextAmount === null ? '取消' : moneyText(nextAmount)}，${nextTime} 生效`;
}

const Table = ({ limits }: { readonly limits: readonly PlayerLimit[] }) => (
  <DetailTable headings={headings}>
    {limits.map((limit) => (
      <tr key={limit.id}>
        <td>{wordOf(period, limit.period) + wordOf(kind, limit.kind)}</td>
        <td>{moneyOr(limit.amount)}</td>
        <td>{moneyText(limit.used)}</td>
        <td>{moneyOr(limit.left)}</td>
        <td>
          <Pending limit={limit} />
        </td>
      </tr>
    ))}
  </DetailTable>
);

/** What a player may pay in and lose, what is used of it, and what is about to change. */
export function PlayerLimits({ userId }: { readonly userId: number }) {
  const { data } = useEndpoint(listPlayerLimits, { userId }, { loading: false });
  if (!data) return null;
  return (
    <>
      {data.length === 0 ? <p>没有充值与亏损限额。</p> : <Table limits={data} />}
      <FormButton
        endpoint={setPlayerLimit}
        fields={fields}
        initial={{ userId }}
        title="设置用户限额（限额留空为取消）"
      >
        设置限额
      </FormButton>
    </>
  );
}
