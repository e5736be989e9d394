import { cancelSlip, pageSlips, type Slip } from '#contract/slips.ts';
import { FormButton, moneyText, type Tone } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { SlipDetail } from './SlipDetail.tsx';

const tones: Readonly<Record<Slip['status'], Tone>> = {
  ...{ PENDING: 'busy', HELD: 'warn', WON: 'good', LOST: 'idle' },
  ...{ PUSHED: 'brand', CANCELLED: 'idle', VOID: 'bad' },
};

/** Whether its phase has closed only the server knows; what is settled cannot be taken back. */
const actions = ({ id, status, stake, phase }: Slip) =>
  status === 'PENDING' && (
    <FormButton
      endpoint={cancelSlip}
      fields={[{ field: 'reason', placeholder: '请写明撤单的原因' }]}
      initial={{ id }}
      title={`撤单：注单 ${id}（期号 ${phase}），退还 ${moneyText(stake)}`}
    >
      撤单
    </FormButton>
  );

/** What players bet, and what became of it. */
export function SlipScreen() {
  return (
    <ListScreen
      endpoint={pageSlips}
      search={[
        ...(['id', 'bizNo', 'userId', 'username', 'gameId', 'phase', 'playWayId'] as const),
        ...(['status', 'createTimeRange', 'dayRange', 'agentId', 'testAccount'] as const),
      ]}
      columns={[
        { field: 'id', width: 90 },
        { field: 'bizNo', width: 130 },
        { field: 'userId', width: 76 },
        { field: 'username', width: 110 },
        'gameId',
        { field: 'phase', width: 120, least: 108 },
        { field: 'stake', width: 100 },
        { field: 'payout', width: 100 },
        { field: 'refund', width: 90 },
        { field: 'status', width: 84, tones },
        { field: 'testAccount', width: 76, tones: { true: 'warn', false: 'idle' } as const },
        'createTime',
        'settleTime',
      ]}
      about={['userId', 'username', 'gameId', 'phase', 'stake', 'createTime']}
      rowActions={actions}
      expand={(slip) => <SlipDetail slip={slip} />}
    />
  );
}
