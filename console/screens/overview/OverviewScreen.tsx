import { Suspense } from 'react';
import { liveNouns } from '#contract/happenings.ts';
import { getOverview, type Overview } from '#contract/overview.ts';
import { readOperatorName, useEndpoint, useLive } from '../../kit/call/index.ts';
import { fetched } from '../../kit/overlay/index.ts';
import { UpToDate } from '../../parts/UpToDate.tsx';
import { Attention } from './Attention.tsx';
import { BrokenProof, DrawAlarms, Failing, Unplanned } from './Failing.tsx';
import { Flow } from './Flow.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import '../../parts/chart/chart.css';
import './overview.css';

/** What waits is told at once; this is for the figures beside it. */
const POLL_MS = 20_000;
const DayCharts = fetched(() => import('./DayCharts.tsx').then((m) => m.DayCharts));

/** What an operator looks at first, kept up to date while it is open. */
export function OverviewScreen() {
  const { data: overview, error, refetch } = useEndpoint(getOverview, {}, { everyMs: POLL_MS });
  useLive(liveNouns, () => void refetch());
  return (
    <div className="overview">
      <header className="overview-head">
        <h1>您好，{readOperatorName() || '操作员'}</h1>
        <UpToDate error={error}>{overview && `统计时间 ${overview.time}`}</UpToDate>
      </header>
      {overview && <Figures overview={overview} />}
      {/* Not before what stands above them, which would push them off the screen. */}
      {(overview || error) && <Shortcuts />}
    </div>
  );
}

function Figures({ overview }: { readonly overview: Overview }) {
  const { deposits, withdrawals, players, days } = overview;
  return (
    <>
      <Attention overview={overview} />
      <DrawAlarms alarms={overview.alarms} />
      <Unplanned plans={overview.plans} />
      <BrokenProof proof={overview.betsProof} />
      <Failing spiders={overview.spiders} />
      <Flow overview={overview} />
      {(deposits || withdrawals || players) && (
        <Suspense fallback={<div className="chart" />}>
          <DayCharts days={days} />
        </Suspense>
      )}
    </>
  );
}
