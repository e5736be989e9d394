import { use, useMemo } from 'react';
import { listPlayerLimits } from '#contract/player-limits.ts';
import { listTurnoverRequirements } from '#contract/turnover-requirements.ts';
import { useMay, useMayOpen } from '../../kit/call/index.ts';
import { Within } from '../../kit/list/index.ts';
import { ScreenContext } from '../../kit/overlay/index.ts';
import { Requirements } from '../../parts/money/Requirements.tsx';
import { PlayerLimits } from './PlayerLimits.tsx';

const LIMITS = '/main/bet/limit';

/**
 * What holds a player back: limits of their own, what is still to be turned over before a withdrawal, and the limits of bets, which are the same
 * for all.
 */
export function UserLimits({ userId }: { readonly userId: number }) {
  const seesOwn = useMay(listPlayerLimits);
  const seesTurnover = useMay(listTurnoverRequirements);
  const seesLimits = useMayOpen(LIMITS);
  const Limits = use(ScreenContext).get(LIMITS);
  const given = useMemo(() => ({ search: {} }), []);
  return (
    <>
      {seesOwn && (
        <section className="row-limits" aria-label="用户限额">
          <PlayerLimits userId={userId} />
        </section>
      )}
      {seesTurnover && (
        <section className="row-limits" aria-label="流水要求">
          <Requirements userId={userId} />
        </section>
      )}
      {seesLimits && Limits && (
        <Within path={LIMITS} given={given}>
          <Limits />
        </Within>
      )}
    </>
  );
}
