import { pageDrawPlans } from '#contract/draw-plans.ts';
import { ListScreen } from '../../kit/ListScreen.tsx';
import { Tag } from '../../kit/Tag.tsx';
import { games } from '../game/choices.ts';
import { VerifyLink } from './VerifyLink.tsx';
import './draws.css';

/** Draws to come and done. Plans are made and cleared on the games' screen. */
export function DrawPlanScreen() {
  return (
    <ListScreen
      endpoint={pageDrawPlans}
      search={[{ field: 'gameId', options: games }, 'startTimeRange', 'status', 'overdue', 'phase']}
      columns={[
        { field: 'gameId', options: games },
        'phase',
        'startTime',
        'endTime',
        'status',
        {
          field: 'late',
          label: '逾期',
          width: 80,
          render: ({ late }) => (late ? <Tag tone="bad">逾期</Tag> : '—'),
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
    />
  );
}
