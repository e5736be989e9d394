import { type DrawPlan, pageDrawPlans } from '#contract/draw-plans.ts';
import { MenuButton, Tag } from '../../kit/form/index.ts';
import { ListScreen, RelatedLists } from '../../kit/list/index.ts';
import { VoidPlan } from '../../parts/draws/PhaseForms.tsx';
import { StopAwaiting } from '../../parts/draws/StopAwaiting.tsx';
import { VerifyLink } from '../../parts/draws/VerifyLink.tsx';
import { CurrentPhase } from './CurrentPhase.tsx';
import '../../parts/draws/draws.css';

/** What is wrong with a draw, and why: it failed, will never be, is not waited for any more, or is long overdue. */
function Trouble({ plan: { alarm, voidReason, unawaitedReason, late } }: { readonly plan: DrawPlan }) {
  const reason = alarm ?? voidReason ?? unawaitedReason;
  if (reason === null) return late ? <Tag tone="bad">逾期</Tag> : '—';
  return (
    <span title={reason}>
      {alarm && <Tag tone="bad">告警</Tag>}
      {reason === unawaitedReason && <Tag tone="idle">不再等待</Tag>} {reason}
    </span>
  );
}

/**
 * A promise that cannot be kept may be voided; the server refuses as long as it can be. A late phase that its source passed over needs not be
 * waited for; the server refuses as long as slips are.
 */
const actions = ({ id, phase, status, commitment, alarm, late, ...rest }: DrawPlan) => (
  <>
    <MenuButton label="相关">
      <RelatedLists noun="drawPlan" row={{ phase, ...rest }} />
    </MenuButton>
    {status === 'OPENING' && commitment !== null && alarm !== null && <VoidPlan id={id} phase={phase} />}
    {late && commitment === null && <StopAwaiting id={id} phase={phase} />}
  </>
);

/** Draws to come and done. Plans are made and cleared on the games' screen. */
export function DrawPlanScreen() {
  return (
    <ListScreen
      endpoint={pageDrawPlans}
      search={['gameId', 'startTimeRange', 'status', 'overdue', 'alarming', 'phase']}
      toolbar={<CurrentPhase />}
      columns={[
        'gameId',
        'phase',
        'startTime',
        'endTime',
        'status',
        {
          field: 'late',
          label: '异常',
          width: 160,
          render: (plan) => <Trouble plan={plan} />,
        },
        {
          field: 'commitment',
          width: 170,
          render: ({ gameId, phase, commitment }) =>
            commitment ? (
              <VerifyLink gameId={gameId} phase={phase}>
                {`${commitment.slice(0, 16)}…`}
              </VerifyLink>
            ) : (
              '—'
            ),
        },
      ]}
      rowActions={actions}
    />
  );
}
