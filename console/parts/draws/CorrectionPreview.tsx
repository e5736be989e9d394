import { type CorrectionPreview as Foreseen, previewCorrection } from '#contract/corrections.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { type InputProps, moneyText } from '../../kit/form/index.ts';
import { DetailTable, RowLink } from '../../kit/list/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import './draws.css';

const headings = [
  ...['注单编号', '用户编号'],
  ...[{ number: '更正前' }, { number: '更正后' }, { number: '无法收回' }],
];

function Items({ items, slips }: Pick<Foreseen, 'items' | 'slips'>) {
  return (
    <>
      <DetailTable headings={headings} label="变动的注单">
        {items.map(({ slipId, userId, before, after, shortfall }) => (
          <tr key={slipId}>
            <td>
              <RowLink noun="slip" row={{ id: slipId }}>
                {String(slipId)}
              </RowLink>
            </td>
            <td>
              <RowLink noun="user" row={{ id: userId }}>
                {String(userId)}
              </RowLink>
            </td>
            <td>{moneyText(before)}</td>
            <td>{moneyText(after)}</td>
            <td>{Number(shortfall) > 0 ? moneyText(shortfall) : '—'}</td>
          </tr>
        ))}
      </DetailTable>
      {slips > items.length && <p className="draw-note">{`只列出前 ${items.length} 张，共 ${slips} 张。`}</p>}
    </>
  );
}

/** What a correction would move, in a sentence; then the slips that change, each with what its player cannot give back. */
function Told({ foreseen }: { readonly foreseen: Foreseen }) {
  const { slips, users, toPay, toTakeBack, shortfall, held, items } = foreseen;
  const unread = held > 0 ? `按此结果有 ${held} 张注单无法判定，将待处理。` : '';
  if (slips === 0) return <p role="status">{`没有注单因此变动。${unread}`}</p>;
  const owing = Number(shortfall) > 0 ? `，其中 ${moneyText(shortfall)} 现在无法收回，将记为欠款` : '';
  return (
    <>
      <p role="status">
        {`${users} 名用户的 ${slips} 张注单变动：补派 ${moneyText(toPay)}，收回 ${moneyText(toTakeBack)}${owing}。${unread}`}
      </p>
      <Items items={items} slips={slips} />
    </>
  );
}

type Props = InputProps & { readonly recordId: number };

/**
 * Asks what the chosen result would move; its digest is the field's value, so that nothing else than what was shown is applied. Whoever
 * chooses another result asks anew.
 */
export function CorrectionPreview({ id, recordId, value, values, onChange }: Props) {
  const result = String(values.result ?? '');
  const { data, error, isFetching, isPlaceholderData, refetch } = useEndpoint(
    previewCorrection,
    { recordId, result },
    { enabled: false },
  );
  const ask = async () => {
    const told = await refetch();
    onChange(told.isSuccess ? told.data.digest : undefined);
  };
  return (
    <>
      <Button id={id} onClick={() => void ask()}>
        {isFetching ? '正在计算' : '预览'}
      </Button>
      {error && !isFetching && (
        <p role="alert" className="form-error">
          {error.message}
        </p>
      )}
      {data && !error && !isPlaceholderData && data.digest === value && <Told foreseen={data} />}
    </>
  );
}
