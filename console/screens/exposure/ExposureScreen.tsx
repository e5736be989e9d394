import { useSearchParams } from 'react-router';
import { type Exposure, getExposureOutlook, listExposure } from '#contract/exposure.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { moneyText } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { ExposureOutlook } from './ExposureOutlook.tsx';
import { Bar } from './ResultBar.tsx';
import './exposure.css';

/** As often as what is bet meanwhile is shown. */
const LIVE_MS = 3_000;

/** The game and phase that are searched for. */
function useAsked() {
  const [params] = useSearchParams();
  const gameId = params.get('gameId') ?? '';
  return { asked: { gameId, phase: params.get('phase') ?? '' }, isAsked: gameId !== '' };
}

/** What each draw would bring, kept up with what is bet. */
function Outlook() {
  const { asked, isAsked } = useAsked();
  const { data } = useEndpoint(getExposureOutlook, asked, { enabled: isAsked, everyMs: LIVE_MS });
  // The list above is read anew with it.
  useEndpoint(listExposure, asked, { enabled: isAsked, everyMs: LIVE_MS });
  if (!isAsked)
    return (
      <span className="exposure-hint">
        请先选择游戏；不填期号即为已封盘待开奖的一期，没有时为正在投注的一期
      </span>
    );
  return data ? <ExposureOutlook outlook={data} /> : null;
}

const Result = ({ result, stake, payout }: Exposure) => (
  <Bar amount={result} most={Math.max(Number(stake), Number(payout), Math.abs(Number(result)))}>
    {moneyText(result)}
  </Bar>
);

/** 单期风险: what a phase has staked on each number, and what the house is left with if it comes. */
export function ExposureScreen() {
  return (
    <ListScreen
      endpoint={listExposure}
      search={['gameId', 'phase']}
      toolbar={<Outlook />}
      columns={[
        { field: 'playWayId', label: '玩法', width: 200 },
        'number',
        { field: 'units', width: 90 },
        { field: 'stake', width: 120 },
        { field: 'payout', width: 120 },
        { field: 'result', width: 220, render: Result },
      ]}
    />
  );
}
