import type { DeskWait } from '#contract/draw-desk.ts';
import { enterDrawRecord } from '#contract/draw-records.ts';
import { voidPhase } from '#contract/settlements.ts';
import { FormButton } from '../../kit/form/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { AwaitedDialog } from '../../parts/draws/AwaitedDialog.tsx';
import { ReleaseWins, RestoreSlips, VoidPlan, voidFields } from '../../parts/draws/PhaseForms.tsx';
import { ResultChoice } from '../../parts/draws/ResultChoice.tsx';
import { StopAwaiting } from '../../parts/draws/StopAwaiting.tsx';

const Enter = ({ wait: { gameId, phase } }: { readonly wait: DeskWait }) => (
  <FormButton
    endpoint={enterDrawRecord}
    fields={['result', 'evidence', 'reason']}
    initial={{ gameId, phase }}
    title={`人工录入期号 ${phase} 的开奖结果（所有来源均无响应时）`}
  >
    录入结果
  </FormButton>
);

const Void = ({ wait: { gameId, phase } }: { readonly wait: DeskWait }) => (
  <FormButton
    endpoint={voidPhase}
    fields={voidFields}
    initial={{ gameId, phase }}
    title={`作废期号 ${phase} 的注单`}
  >
    作废注单
  </FormButton>
);

/** What can be done about a phase that waits, by the dialogs of the lists; each for those who hold its right. */
export function WaitActions({ wait }: { readonly wait: DeskWait }) {
  const { kind, phase, plan, voidable, settlementId: id, bigWins, record } = wait;
  switch (kind) {
    case 'ALARM':
      return voidable && plan !== null ? <VoidPlan id={plan.id} phase={phase} /> : null;
    case 'LATE':
      return (
        <>
          <Enter wait={wait} />
          <Void wait={wait} />
          {plan !== null && <StopAwaiting id={plan.id} phase={phase} />}
        </>
      );
    case 'CONFLICT':
      return (
        <>
          {record && <ResultChoice record={record} />}
          <Void wait={wait} />
        </>
      );
    case 'AWAITED':
    case 'ENTRY':
      return <Button onClick={() => openDialog(<AwaitedDialog />)}>各来源结果</Button>;
    case 'HELD':
      return bigWins > 0 ? <ReleaseWins {...{ id, phase, bigWins }} /> : null;
    case 'VOIDED':
      return <RestoreSlips {...{ id, phase }} />;
  }
}
