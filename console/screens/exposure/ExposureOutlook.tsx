import type { Exposure, ExposureOutlook as Told } from '#contract/exposure.ts';
import { moneyText } from '../../kit/form/index.ts';
import { Bar } from './ResultBar.tsx';
import { isWarned } from './warned.ts';

/** So many of the worst draws are shown one by one. */
const MOST_SHOWN = 20;

const Figure = ({ title, amount, above }: { title: string; amount: string | null; above: string | null }) =>
  amount === null ? null : (
    <span className={isWarned(amount, above) ? 'exposure-figure warns' : 'exposure-figure'}>
      {title} <strong>{moneyText(amount)}</strong>
    </span>
  );

interface OutlookProps {
  readonly outlook: Told;
  readonly numbers: readonly Exposure[];
}

/**
 * What the house is left with by each possible draw: the worst, the best, on average, and the worst of them one by one. Where draws are not
 * told, numbers warn of what they lose by themselves.
 */
export function ExposureOutlook({ outlook, numbers }: OutlookProps) {
  const { phase, stake, worst, best, expected, warnAbove, draws, problem } = outlook;
  const losing = worst === null ? numbers.filter(({ result }) => isWarned(result, warnAbove)).length : 0;
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
            最坏的亏损超过警示金额 {moneyText(warnAbove ?? '0')}
          </span>
        )}
        {losing > 0 && (
          <span role="alert" className="exposure-figure warns">
            {`${losing} 个号码开出时的亏损超过警示金额 ${moneyText(warnAbove ?? '0')}`}
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
