import { type ChangeRecord, pageChangeRecords } from '#contract/change-records.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { ChangeDetail } from '../../parts/change-detail/ChangeDetail.tsx';

const tones = { SUCCESS: 'good', PREPARED: 'busy', REFUSED: 'warn', DENIED: 'bad', FAULT: 'bad' } as const;

/** Who changed what: written once, never altered. A row opens to what was sent, and to the row before and after. */
export function ChangeRecordScreen() {
  return (
    <ListScreen
      endpoint={pageChangeRecords}
      search={['userName', 'summary', 'targetId', 'outcome', 'address', 'createTimeRange']}
      columns={[
        'createTime',
        { field: 'userName', width: 130 },
        'summary',
        { field: 'targetId', width: 110 },
        { field: 'outcome', tones, width: 90 },
        'msg',
        { field: 'address', width: 150 },
      ]}
      expand={(record: ChangeRecord) => <ChangeDetail record={record} />}
    />
  );
}
