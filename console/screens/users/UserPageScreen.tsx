import { listPlayerLimits } from '#contract/player-limits.ts';
import { listTurnoverRequirements } from '#contract/turnover-requirements.ts';
import { getUserPage } from '#contract/user-pages.ts';
import { useEndpoint, useLive, useMay, useMayOpen } from '../../kit/call/index.ts';
import { RowFinder } from '../../parts/row-page/RowFinder.tsx';
import { RowPage } from '../../parts/row-page/RowPage.tsx';
import { thisMonth } from '../../parts/row-page/this-month.ts';
import { useRowId } from '../../parts/row-page/use-row-id.ts';
import { UserHead } from './UserHead.tsx';
import { UserLimits } from './UserLimits.tsx';
import { UserNotes } from './UserNotes.tsx';

/** Their one row is what the head tells. */
const except = ['/main/user/account'] as const;

function Player({ id }: { readonly id: number }) {
  const { data, error, isFetched, refetch } = useEndpoint(getUserPage, { id });
  useLive(['deposit', 'withdrawal', 'approval'], ({ complete, begun, happenings }) => {
    // Of an approval it is not told whom it concerns.
    const concerns = happenings.some(({ noun, userId }) => noun === 'approval' || userId === id);
    if (!complete || begun || concerns) void refetch();
  });
  const seesLimits = [
    useMay(listPlayerLimits),
    useMay(listTurnoverRequirements),
    useMayOpen('/main/bet/limit'),
  ].some(Boolean);
  // It stays while it is asked for again, and with it what is being typed.
  const failed = error && { text: error.message, onRetry: () => void refetch() };
  if (!data) return isFetched && <RowFinder noun="user" failed={failed} />;
  const parts = [
    { key: 'notes', title: '备注', content: <UserNotes key={id} userId={id} /> },
    ...(seesLimits ? [{ key: 'limits', title: '限额', content: <UserLimits key={id} userId={id} /> }] : []),
  ];
  return (
    <RowPage
      noun="user"
      id={id}
      head={<UserHead page={data} />}
      parts={parts}
      except={except}
      begins={{ report: thisMonth() }}
    />
  );
}

/** 用户详情: a player in full, and all that belongs to them. */
export function UserPageScreen() {
  const id = useRowId();
  return id === undefined ? <RowFinder noun="user" /> : <Player key={id} id={id} />;
}
