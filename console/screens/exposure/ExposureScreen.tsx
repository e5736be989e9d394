import { use } from 'react';
import { useSearchParams } from 'react-router';
import {
  type Exposure,
  type ExposureOutlook as ExposureOutlookTold,
  getExposureOutlook,
  listExposure,
} from '#contract/exposure.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { moneyText } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { ExposureOutlook } from './ExposureOutlook.tsx';
import { Bar } from './ResultBar.tsx';
import { isWarned, WarnAboveContext } from './warned.ts';
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
function Outlook({ outlook }: { readonly outlook: ExposureOutlookTold | undefined }) {
  const { asked, isAsked } = useAsked();
  // The list below is read anew with it.
  const { data: numbers = [] } = useEndpoint(listExposure, asked, { enabled: isAsked, everyMs: LIVE_MS });
  if (!isAsked)
    return (
      <span className="exposure-hint">
        请先选择游戏；不填期号即为已封盘待开奖的一期，没有时为正在投注的一期
      </span>
    );
  return outlook ? <ExposureOutlook {...{ outlook, numbers }} /> : null;
}

function Result({ result, stake, payout }: Exposure) {
  const warns = isWarned(result, use(WarnAboveContext));
  return (
    <Bar
      amount={result}
      most={Math.max(Number(stake), Number(payout), Math.abs(Number(result)))}
      warns={warns}
    >
      {moneyText(result)}
    </Bar>
  );
}

/** 单期风险: what a phase has staked on each number, and what the house is left with if it comes. */
export function ExposureScreen() {
  const { asked, isAsked } = useAsked();
  const { data: outlook } = useEndpoint(getExposureOutlook, asked, { enabled: isAsked, everyMs: LIVE_MS });
  return (
    <WarnAboveContext value={outlook?.warnAbove ?? null}>
      <ListScreen
        endpoint={listExposure}
        search={[
          { field: 'gameId', placeholder: '请选择' },
          { field: 'phase', placeholder: '留空则为当前期' },
        ]}
        toolbar={<Outlook outlook={outlook} />}
        columns={[
          { field: 'playWayId', label: '玩法', width: 200 },
          'number',
          { field: 'units', width: 90 },
          { field: 'stake', width: 120 },
          { field: 'payout', width: 120 },
          { field: 'result', width: 220, render: (row) => <Result {...row} /> },
        ]}
      />
    </WarnAboveContext>
  );
}
