import { voidDrawPlan } from '#contract/draw-plans.ts';
import { releaseHeldSlips, unvoidPhase } from '#contract/settlements.ts';
import { FormButton } from '../../kit/form/index.ts';

interface OfPlan {
  readonly id: number;
  readonly phase: string;
}

/** Voids a draw whose promise cannot be kept; the server refuses as long as it can be. */
export const VoidPlan = ({ id, phase }: OfPlan) => (
  <FormButton
    endpoint={voidDrawPlan}
    fields={['reason']}
    initial={{ id }}
    title={`作废期号 ${phase}（不可撤销，原因公开显示在验证页）`}
  >
    作废
  </FormButton>
);

interface OfSettlement {
  readonly id: number | null;
  readonly phase: string;
}

/** Lets all wins of a phase be paid that were held for a look. */
export const ReleaseWins = ({ id, phase, bigWins }: OfSettlement & { readonly bigWins: number }) => (
  <FormButton
    endpoint={releaseHeldSlips}
    fields={[{ field: 'reason', placeholder: '请写明核对了什么' }]}
    initial={{ id }}
    title={`放行期号 ${phase} 的全部大额派彩（${bigWins} 张）`}
  >
    放行
  </FormButton>
);

/** Takes a void back: the slips become what the result makes of them. */
export const RestoreSlips = ({ id, phase }: OfSettlement) => (
  <FormButton
    endpoint={unvoidPhase}
    fields={[
      { field: 'reason', hint: () => '退还的投注额会收回，注单变回按开奖结果应有的样子；余额不足的记为欠款' },
    ]}
    initial={{ settlementId: id }}
    title={`恢复期号 ${phase} 作废的注单`}
  >
    恢复
  </FormButton>
);

type Entered = Readonly<Record<string, unknown>>;

const WHOLE = '不选玩法、不填投注时间，就作废整期的注单；已派的奖会收回';
const PART = '只作废所选玩法、所填投注时间的注项，已派的奖会收回；其他的照常结算';

/** What of a phase is voided, and why; how far that goes is said before it is sent. */
export const voidFields = [
  { field: 'playWayId', help: '作废注单' },
  {
    field: 'createTimeRange',
    hint: ({ playWayId, createTimeRange }: Entered) => (playWayId || createTimeRange ? PART : WHOLE),
  },
  'reason',
] as const;
