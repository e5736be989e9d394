import { type DrawRecord, enterDrawRecord, pageDrawRecords } from '#contract/draw-records.ts';
import { FormButton, MenuButton, Tag } from '../../kit/form/index.ts';
import { Detail, ListScreen, RelatedLists } from '../../kit/list/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { AwaitedDialog } from '../../parts/draws/AwaitedDialog.tsx';
import { ResultChoice } from '../../parts/draws/ResultChoice.tsx';
import { VerifyLink } from '../../parts/draws/VerifyLink.tsx';
import '../../parts/draws/draws.css';

/** A settled conflict can be settled otherwise; a local draw never. */
const isOpenToChoice = ({ result, conflict, conflicts, verifiable }: DrawRecord): boolean =>
  conflict || (!verifiable && conflicts.some((claim) => claim.result !== result));

const actions = (record: DrawRecord) => (
  <>
    <MenuButton label="相关">
      <RelatedLists noun="drawRecord" row={record} />
    </MenuButton>
    {isOpenToChoice(record) && <ResultChoice record={record} />}
  </>
);

/** Who said otherwise and where the draw can be checked, then what won in each way to read the result. */
function RecordDetail({ record }: { readonly record: DrawRecord }) {
  const { winners, conflicts, gameId, phase, verifiable, sealed } = record;
  return (
    <>
      {(conflicts.length > 0 || verifiable || !sealed) && (
        <Detail
          parts={[
            ...conflicts.map(({ source, result, openTime }) => [source, `${result}（${openTime}）`] as const),
            ['封存', !sealed && <Tag tone="idle">未封存</Tag>],
            ['验证', verifiable && <VerifyLink {...{ gameId, phase }}>打开验证页</VerifyLink>],
          ]}
        />
      )}
      {winners.length > 0 ? (
        <dl className="draw-winners">
          {winners.map(({ name, numbers, pushes }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {numbers.join('、') || '—'}
                {pushes.length > 0 && `（退本金：${pushes.join('、')}）`}
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="draw-note">该游戏没有可读取此结果的投注维度。</p>
      )}
    </>
  );
}

/** What was drawn, by whom it was told, and what won. */
export function DrawRecordScreen() {
  return (
    <ListScreen
      endpoint={pageDrawRecords}
      search={['gameId', 'phase', 'openTimeRange', 'conflict']}
      toolbar={
        <>
          <FormButton
            endpoint={enterDrawRecord}
            fields={['gameId', 'phase', 'result', 'evidence', 'reason']}
            title="人工录入开奖结果（所有来源均无响应时）"
          >
            录入结果
          </FormButton>
          <Button onClick={() => openDialog(<AwaitedDialog />)}>等待一致</Button>
        </>
      }
      columns={[
        'gameId',
        'phase',
        {
          field: 'result',
          width: 180,
          render: ({ result }) => <span className="draw-numbers">{result}</span>,
        },
        'openTime',
        'createTime',
        { field: 'source', width: 96 },
        {
          field: 'conflict',
          label: '冲突',
          width: 72,
          render: ({ conflict }) => (conflict ? <Tag tone="bad">冲突</Tag> : '—'),
        },
      ]}
      rowActions={actions}
      expand={(record) => <RecordDetail record={record} />}
    />
  );
}
