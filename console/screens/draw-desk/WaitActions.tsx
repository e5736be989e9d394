import type { DeskWait } from '#contract/draw-desk.ts';
import { voidDrawPlan } from '#contract/draw-plans.ts';
import { enterDrawRecord } from '#contract/draw-records.ts';
import { releaseHeldSlips, unvoidPhase, voidPhase } from '#contract/settlements.ts';
import { FormButton } from '../../kit/form/index.ts';
import { Button, openDialog } from '../../kit/overlay/index.ts';
import { AwaitedDialog } from '../../parts/draws/AwaitedDialog.tsx';
import { ResultChoice } from '../../parts/draws/ResultChoice.tsx';
import { StopAwaiting } from '../../parts/draws/StopAwaiting.tsx';

const Enter = ({ wait: { gameId, gameName, phase } }: { readonly wait: DeskWait }) => (
  <FormButton
    endpoint={enterDrawRecord}
    fields={['result', 'evidence', 'reason']}
    initial={{ gameId, phase }}
    title={`人工录入 ${gameName} 期号 ${phase} 的开奖结果（所有来源均无响应时）`}
  >
    录入结果
  </FormButton>
);

const Void = ({ wait: { gameId, gameName, phase } }: { readonly wait: DeskWait }) => (
  <FormButton
    endpoint={voidPhase}
    fields={['playWayId', 'createTimeRange', 'reason']}
    initial={{ gameId, phase }}
    title={`作废 ${gameName} 期号 ${phase} 的注单`}
  >
    作废注单
  </FormButton>
);

interface PlanProps {
  readonly plan: NonNullable<DeskWait['plan']>;
  readonly phase: string;
}

const VoidPlan = ({ plan, phase }: PlanProps) => (
  <FormButton
    endpoint={voidDrawPlan}
    fields={['reason']}
    initial={{ id: plan.id }}
    title={`作废期号 ${phase}（不可撤销，原因公开显示在验证页）`}
  >
    作废
  </FormButton>
);

const Release = ({ wait: { settlementId, phase, bigWins } }: { readonly wait: DeskWait }) => (
  <FormButton
    endpoint={releaseHeldSlips}
    fields={[{ field: 'reason', placeholder: '请写明核对了什么' }]}
    initial={{ id: settlementId }}
    title={`放行期号 ${phase} 待确认的全部大额派彩（${bigWins} 张）`}
  >
    放行
  </FormButton>
);

const Unvoid = ({ wait: { settlementId, phase } }: { readonly wait: DeskWait }) => (
  <FormButton
    endpoint={unvoidPhase}
    fields={['reason']}
    initial={{ settlementId }}
    title={`恢复期号 ${phase} 作废的注单`}
  >
    恢复
  </FormButton>
);

/** What can be done about a phase that waits, by the dialogs of the lists; each for those who hold its right. */
export function WaitActions({ wait }: { readonly wait: DeskWait }) {
  const { kind, phase, plan, voidable, bigWins, record } = wait;
  switch (kind) {
    case 'ALARM':
      return voidable && plan !== null ? <VoidPlan {...{ plan, phase }} /> : null;
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
      return bigWins > 0 ? <Release wait={wait} /> : null;
    case 'VOIDED':
      return <Unvoid wait={wait} />;
  }
}
