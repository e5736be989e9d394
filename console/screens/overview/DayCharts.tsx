import { useNavigate } from 'react-router';
import type { Overview } from '#contract/overview.ts';
import { countText, moneyText } from '../../kit/form/index.ts';
import { screenAddress } from '../../kit/overlay/index.ts';
import { Chart, type ChartSeries } from '../../parts/chart/Chart.tsx';

type Days = Overview['days'];

const rangeOf = (day: string): readonly string[] => [`${day} 00:00:00`, `${day} 23:59:59`];
const valuesOf = (days: Days, pick: (day: Days[number]) => string | number | null): string[] | null => {
  const values = days.map(pick);
  return values.some((value) => value === null) ? null : values.map(String);
};

const today = (series: readonly ChartSeries[]): string =>
  `今日 ${series.map(({ name, values, said }) => `${name} ${said(values.at(-1) ?? '0')}`).join('，')}`;

/** Thirty days as charts; a click on a bar leads to the day's list. */
export function DayCharts({ days }: { readonly days: Days }) {
  const navigate = useNavigate();
  const names = days.map(({ day }) => day);
  const orders = (path: '/main/user/deposit-record' | '/main/user/withdraw-record') => (day: string) =>
    void navigate(screenAddress(path, { status: 'SUCCESS', createTimeRange: rangeOf(day) }));
  const players = (day: string) =>
    void navigate(screenAddress('/main/user/user', { createTimeRange: rangeOf(day) }));

  const series = (list: readonly (Omit<ChartSeries, 'values'> & { values: string[] | null })[]) =>
    list.flatMap(({ values, ...rest }): ChartSeries[] => (values ? [{ ...rest, values }] : []));
  const money = series([
    {
      name: '充值',
      kind: 'bar',
      colour: '--brand-fill',
      said: moneyText,
      values: valuesOf(days, (day) => day.deposits),
      onPick: orders('/main/user/deposit-record'),
    },
    {
      name: '提现',
      kind: 'bar',
      colour: '--warn',
      said: moneyText,
      values: valuesOf(days, (day) => day.withdrawals),
      onPick: orders('/main/user/withdraw-record'),
    },
    {
      name: '净额',
      kind: 'line',
      colour: '--busy',
      said: moneyText,
      values: valuesOf(days, (day) => day.net),
    },
  ]);
  const comers = series([
    {
      name: '新增用户',
      kind: 'bar',
      colour: '--busy',
      said: countText,
      values: valuesOf(days, (day) => day.players),
      onPick: players,
    },
  ]);
  const over = { keys: names, words: names.map((day) => day.slice(5)) };
  return (
    <div className="overview-charts">
      {money.length > 0 && <Chart title="近 30 日资金" {...over} series={money} says={today(money)} />}
      {comers.length > 0 && <Chart title="近 30 日新增用户" {...over} series={comers} says={today(comers)} />}
    </div>
  );
}
