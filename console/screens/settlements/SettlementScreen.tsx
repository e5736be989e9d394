import {
  pageSettlements,
  releaseHeldSlips,
  type Settlement,
  unvoidPhase,
  voidPhase,
} from '#contract/settlements.ts';
import { FormButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { SettlementDetail } from './SettlementDetail.tsx';

const tones = { RUNNING: 'busy', HELD: 'bad', DONE: 'good' } as const;
const kindTones = { FIRST: 'idle', CORRECTION: 'warn', VOID: 'bad', UNVOID: 'brand' } as const;

/** Voids can be taken back once; wins that wait for a look are let go. */
const actions = ({ id, phase, kind, undone, bigWins }: Settlement) => (
  <>
    {bigWins > 0 && (
      <FormButton
        endpoint={releaseHeldSlips}
        fields={[{ field: 'reason', placeholder: '请写明核对了什么' }]}
        initial={{ id }}
        title={`放行期号 ${phase} 待确认的全部大额派彩（${bigWins} 张）`}
      >
        放行
      </FormButton>
    )}
    {kind === 'VOID' && !undone && (
      <FormButton
        endpoint={unvoidPhase}
        fields={['reason']}
        initial={{ settlementId: id }}
        title={`恢复期号 ${phase} 作废的注单`}
      >
        恢复
      </FormButton>
    )}
  </>
);

/** How many slips it is about; while some of them stay as they were, how many it changed before that. */
const settled = ({ slips, total }: Settlement) => (slips === total ? total : `${slips}/${total}`);

const WHOLE = '不选玩法、不填投注时间，就作废整期的注单；已派的奖会收回';
/** Says how far a void goes while nothing narrows it. */
const wholePhase = ({ playWayId, createTimeRange }: Readonly<Record<string, unknown>>) =>
  playWayId || createTimeRange ? undefined : WHOLE;

/** What draws, corrections and voids made of slips, and what of it waits for somebody. */
export function SettlementScreen() {
  return (
    <ListScreen
      endpoint={pageSettlements}
      search={['gameId', 'phase', 'kind', 'status']}
      toolbar={
        <FormButton
          endpoint={voidPhase}
          fields={[
            ...(['gameId', 'phase'] as const),
            { field: 'playWayId', help: '作废注单' },
            { field: 'createTimeRange', hint: wholePhase },
            'reason',
          ]}
          title="作废一期的注单"
        >
          作废注单
        </FormButton>
      }
      columns={[
        { field: 'id', width: 76 },
        'gameId',
        { field: 'phase', width: 120, least: 100 },
        { field: 'kind', width: 96, tones: kindTones },
        { field: 'result', width: 130 },
        { field: 'status', width: 84, tones },
        { field: 'slips', width: 84, least: 64, render: settled },
        { field: 'stake', width: 100 },
        { field: 'payout', width: 100 },
        { field: 'refund', width: 90 },
        'startTime',
        'endTime',
        'problem',
      ]}
      rowActions={actions}
      expand={(settlement) => <SettlementDetail settlement={settlement} />}
    />
  );
}
