import { pageSettlements, type Settlement, voidPhase } from '#contract/settlements.ts';
import { FormButton } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { ReleaseWins, RestoreSlips, voidFields } from '../../parts/draws/PhaseForms.tsx';
import { SettlementDetail } from './SettlementDetail.tsx';

const tones = { RUNNING: 'busy', HELD: 'bad', DONE: 'good' } as const;
const kindTones = { FIRST: 'idle', CORRECTION: 'warn', VOID: 'bad', UNVOID: 'brand' } as const;

/** Voids can be taken back once; wins that wait for a look are let go. */
const actions = ({ id, phase, kind, undone, bigWins }: Settlement) => (
  <>
    {bigWins > 0 && <ReleaseWins {...{ id, phase, bigWins }} />}
    {kind === 'VOID' && !undone && <RestoreSlips {...{ id, phase }} />}
  </>
);

/** How many slips it is about; while some of them stay as they were, how many it changed before that. */
const settled = ({ slips, total }: Settlement) => (slips === total ? total : `${slips}/${total}`);

/** What draws, corrections and voids made of slips, and what of it waits for somebody. */
export function SettlementScreen() {
  return (
    <ListScreen
      endpoint={pageSettlements}
      search={['gameId', 'phase', 'kind', 'status']}
      toolbar={
        <FormButton endpoint={voidPhase} fields={['gameId', 'phase', ...voidFields]} title="作废一期的注单">
          作废注单
        </FormButton>
      }
      columns={[
        { field: 'id', width: 76 },
        { field: 'gameId', least: 98 },
        { field: 'phase', width: 120, least: 104 },
        { field: 'kind', width: 96, tones: kindTones },
        { field: 'result', width: 130, least: 92 },
        { field: 'status', width: 84, tones },
        { field: 'slips', width: 84, least: 64, render: settled },
        { field: 'stake', width: 100 },
        { field: 'payout', width: 100 },
        { field: 'refund', width: 90 },
        'startTime',
        'problem',
      ]}
      rowActions={actions}
      expand={(settlement) => <SettlementDetail settlement={settlement} />}
    />
  );
}
