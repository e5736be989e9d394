import { getGamePage } from '#contract/game-pages.ts';
import { useEndpoint, useMayOpen } from '../../kit/call/index.ts';
import { ListPart } from '../../parts/row-page/ListPart.tsx';
import { RowFinder } from '../../parts/row-page/RowFinder.tsx';
import { RowPage } from '../../parts/row-page/RowPage.tsx';
import { thisMonth } from '../../parts/row-page/this-month.ts';
import { useRowId } from '../../parts/row-page/use-row-id.ts';
import { GameHead } from './GameHead.tsx';

const EXPOSURE = '/main/bet/exposure';

function OneGame({ id }: { readonly id: number }) {
  const { data, error, isFetched, refetch } = useEndpoint(getGamePage, { id });
  const seesExposure = useMayOpen(EXPOSURE);
  // It stays while it is asked for again, and with it what is being typed.
  const failed = error && { text: error.message, onRetry: () => void refetch() };
  if (!data) return isFetched && <RowFinder noun="game" failed={failed} />;
  const exposure = {
    key: 'exposure',
    title: '单期风险',
    content: <ListPart key={EXPOSURE} noun="game" id={id} screen={EXPOSURE} field="gameId" />,
  };
  const parts = seesExposure ? [exposure] : [];
  return (
    <RowPage
      noun="game"
      id={id}
      head={<GameHead page={data} />}
      parts={parts}
      begins={{ report: thisMonth() }}
    />
  );
}

/** 游戏详情: a game in full, and all that hangs from it. */
export function GamePageScreen() {
  const id = useRowId();
  return id === undefined ? <RowFinder noun="game" /> : <OneGame key={id} id={id} />;
}
