import { useSearchParams } from 'react-router';
import { platformZone, serverNow, wallClock } from '../../kit/call/index.ts';
import { Button } from '../../kit/overlay/index.ts';

const DAY_MS = 86_400_000;

/** Plans lie days ahead, and the newest stand first: what has begun and is not drawn yet is current. */
export function CurrentPhase() {
  const [params, setParams] = useSearchParams();
  const show = () => {
    const now = serverNow();
    const next = new URLSearchParams(params.has('gameId') ? { gameId: params.get('gameId') ?? '' } : {});
    next.set('status', 'WAITTING');
    for (const moment of [new Date(now.getTime() - DAY_MS), now])
      next.append('startTimeRange', wallClock(moment, platformZone()));
    setParams(next);
  };
  return <Button onClick={show}>当前期</Button>;
}
