import type { ExposureOutlook as Told } from '#contract/exposure.ts';
import { moneyText } from '../../kit/form/index.ts';
import { Bar } from './ResultBar.tsx';

/** So many of the worst draws are shown one by one. */
const MOST_SHOWN = 20;

const isWarned = (amount: string | null, above: string | null): boolean =>
  amount !== null && above !== null && -Number(amount) > Number(above);

const Figure = ({ title, amount, above }: { title: string; amount: string | null; above: string | null }) =>
  amount === null ? null : (
    <span className={isWarned(amount, above) ? 'exposure-figure warns' : 'exposure-figure'}>
      {title} <strong>{moneyText(amount)}</strong>
    </span>
  );

/** What the house is left with by each possible draw: the worst, the best, on average, and the worst of them one by one. */
export function ExposureOutlook({ outlook }: { readonly outlook: Told }) {
  const { phase, stake, worst, best, expected, warnAbove, draws, problem } = outlook;
  if (phase === null) return <span className="exposure-hint">该游戏现在没有投注中或待开奖的期次</span>;
  const most = Math.max(...[worst, best].map((amount) => Math.abs(Number(amount ?? 0))));
  return (
    <section className="exposure-outlook" aria-label="每种开奖结果的盈亏">
      <p>
        <span className="exposure-figure">期号 {phase}</span>
        <span className="exposure-figure">
          投注额 <strong>{moneyText(stake)}</strong>
        </span>
        <Figure title="最坏" amount={worst} above={warnAbove} />
        <Figure title="最好" amount={best} above={warnAbove} />
        <Figure title="平均" amount={expected} above={warnAbove} />
        {isWarned(worst, warnAbove) && (
          <span role="alert" className="exposure-figure warns">
            最坏的亏损超过警戒金额 {moneyText(warnAbove ?? '0')}
          </span>
        )}
        {problem && <span className="exposure-hint">{problem}</span>}
      </p>
      {draws.length > 0 && (
        <ol>
          {draws.slice(0, MOST_SHOWN).map(({ draw, result }) => (
            <li key={draw}>
              {draw}{' '}
              <Bar amount={result} most={most} warns={isWarned(result, warnAbove)}>
                {moneyText(result)}
              </Bar>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
