import { type ChangeRecord, pageChangeRecords } from '#contract/change-records.ts';
import { targetOf } from '#contract/recorded-fields.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Tag } from '../../kit/form/index.ts';
import { ListScreen, RowLink } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import { NeededRights, WhyLink } from '../../parts/access/WhyDenied.tsx';
import { ChangeDetail } from '../../parts/change-detail/ChangeDetail.tsx';
import { kinds } from './kinds.ts';

const tones = { SUCCESS: 'good', PREPARED: 'busy', REFUSED: 'warn', DENIED: 'bad', FAULT: 'bad' } as const;

/** The row that was changed, leading there where its number finds it; the others' names are in the detail. */
function Target(record: ChangeRecord) {
  const target = targetOf(record);
  if (!target || record.targetId === null) return record.targetId ?? <Absent />;
  return (
    <RowLink noun={target.noun} row={{ id: target.id }}>
      {record.targetId}
    </RowLink>
  );
}

/** How it ended, leading from what was denied to the explanation. */
const Told = (record: ChangeRecord) => (
  <>
    {record.msg ?? <Absent />} <WhyLink {...record} />
  </>
);

/** What was sent and changed, whole also where the list left out what is long. */
function Content({ record }: { readonly record: ChangeRecord }) {
  const { id, shortened } = record;
  const { data } = useEndpoint(pageChangeRecords, { id }, { enabled: shortened });
  const whole = shortened ? data?.data[0] : record;
  return whole ? <ChangeDetail record={whole} /> : null;
}

/** Who changed what: written once, never altered. A row opens to what was sent, and to the row before and after. */
export function ChangeRecordScreen() {
  return (
    <ListScreen
      endpoint={pageChangeRecords}
      search={[
        ...(['userName', 'summary'] as const),
        { field: 'noun', options: kinds },
        ...(['targetId', 'outcome', 'address', 'createTimeRange'] as const),
      ]}
      columns={[
        'createTime',
        { field: 'userName', width: 130 },
        'summary',
        { field: 'targetId', width: 110, render: Target },
        { field: 'outcome', tones, width: 90 },
        { field: 'msg', render: Told },
        { field: 'address', width: 150 },
        { field: 'sealed', width: 76, render: ({ sealed }) => !sealed && <Tag tone="idle">未封存</Tag> },
      ]}
      expand={(record: ChangeRecord) => (
        <>
          <NeededRights {...record} />
          <Content record={record} />
        </>
      )}
    />
  );
}
