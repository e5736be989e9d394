import { Suspense } from 'react';
import { metaOf, wordOf } from '#contract/fields.ts';
import { type ReportGroup, type ReportRow, ReportTotals, reportGroup } from '#contract/reports.ts';
import { moneyText } from '../../kit/form/index.ts';
import { Money } from '../../kit/list/index.ts';
import { fetched } from '../../kit/overlay/index.ts';
import { groupOf, type Search } from './report-ways.ts';
import '../../kit/list/list-sums.css';
import '../../parts/chart/chart.css';
import './report.css';

const Chart = fetched(() => import('../../parts/chart/Chart.tsx').then((m) => m.Chart));

const counted = ['slips', 'players'] as const;
const amounts = [
  ...(['stake', 'turnover', 'payout', 'writtenOff', 'refund'] as const),
  ...(['rebate', 'result', 'unsettled'] as const),
];
const labelOf = (name: keyof ReportTotals): string => metaOf(ReportTotals.shape[name]).title ?? name;

/** What is not known (yet), in the room of what it may be. */
const unknown = <span className="report-unknown">—</span>;

/** What all that is found comes to, each slip and player once. */
function Totals({ totals }: { readonly totals: ReportTotals | undefined }) {
  const rate = totals?.rate ? `${totals.rate}%` : unknown;
  return (
    <div className="list-sums">
      {/* biome-ignore lint/a11y/useSemanticElements: nothing here is filled in */}
      <div className="list-totals" role="group" aria-label="全部合计">
        <strong>全部合计</strong>
        <dl>
          {counted.map((name) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>{totals?.[name] ?? unknown}</dd>
            </div>
          ))}
          {amounts.map((name) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>{totals ? <Money value={totals[name]} /> : unknown}</dd>
            </div>
          ))}
          <div>
            <dt>盈亏率</dt>
            <dd>{rate}</dd>
          </div>
        </dl>
      </div>
    </div>
  );
}

interface Reported {
  readonly rows: readonly ReportRow[];
  readonly totals: ReportTotals;
}

interface ReportHeadProps {
  /** Nothing before the answer: its room is kept. */
  readonly report: Reported | undefined;
  readonly search: Search;
}

/** The rows of the page, days from the left to the right. */
function RowsChart({ rows, totals, by }: Reported & { readonly by: ReportGroup }) {
  const shown = by === 'DAY' ? rows.toSorted((one, other) => one.key.localeCompare(other.key)) : rows;
  const series = [
    { name: '投注额', kind: 'bar' as const, colour: '--brand-fill', of: 'stake' as const },
    { name: '派彩', kind: 'bar' as const, colour: '--warn', of: 'payout' as const },
    { name: '平台盈亏', kind: 'line' as const, colour: '--busy', of: 'result' as const },
  ].map(({ of, ...rest }) => ({ ...rest, said: moneyText, values: shown.map((row) => row[of]) }));
  return (
    <Chart
      title={`盈亏${wordOf(reportGroup, by)}`}
      keys={shown.map(({ key }) => key)}
      words={shown.map(({ key, name }) => (by === 'DAY' ? key.slice(5) : name))}
      series={series}
      says={`本页 ${shown.length} 项，全部结果的平台盈亏合计 ${moneyText(totals.result)}`}
    />
  );
}

/** The room of a chart that is not there yet. */
const blank = <div className="chart" />;

/** The rows of the page as a chart, and what all of the report comes to. */
export const ReportHead = ({ report, search }: ReportHeadProps) => (
  <>
    {report?.rows.length !== 0 && (
      <Suspense fallback={blank}>{report ? <RowsChart {...report} by={groupOf(search)} /> : blank}</Suspense>
    )}
    <Totals totals={report?.totals} />
  </>
);
