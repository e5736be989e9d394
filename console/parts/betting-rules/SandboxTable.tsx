import type { WireInput } from '#contract/endpoint.ts';
import { type Sandbox, tryRules } from '#contract/rule-sandbox.ts';
import { moneyText } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import './betting-rules.css';
import { TrialRefused } from './TrialRefused.tsx';
import { useTrial } from './use-tried.ts';

export type Trial = WireInput<typeof tryRules>;

const headings = [
  ...['期号', '开奖结果'],
  ...['注项', '投注额', '实际派彩与退还', '试算派彩与退还', '平台盈亏相差'].map((number) => ({ number })),
];

type Phase = Sandbox['phases'][number];

const Line = ({ phase }: { readonly phase: Phase }) => (
  <tr>
    <td>{phase.phase}</td>
    <td>{phase.result}</td>
    <td>{`${phase.lines}${phase.isWhole ? '' : '（部分）'}`}</td>
    <td>{moneyText(phase.stake)}</td>
    <td>{moneyText(phase.paid)}</td>
    <td>{phase.problem ?? moneyText(phase.tried)}</td>
    <td>{moneyText(phase.difference)}</td>
  </tr>
);

function sentence({ handlerVersion, totals }: Sandbox): string {
  const { lines, stake, paid, tried, difference, changed } = totals;
  return `共 ${lines} 个注项，投注额 ${moneyText(stake)}：实际派彩与退还 ${moneyText(paid)}，按试算的规则（处理器第 ${handlerVersion} 版）${moneyText(tried)}，平台盈亏相差 ${moneyText(difference)}，${changed} 个注项结果不同。没有改动任何注单。`;
}

interface SandboxTableProps {
  readonly trial: Trial;
  /** How often it was tried. */
  readonly times: number;
}

/** What the real slips of the last phases came to, beside what other rules would give. */
export function SandboxTable({ trial, times }: SandboxTableProps) {
  const { data, error } = useTrial(tryRules, trial, times);
  if (error) return <TrialRefused error={error} />;
  if (data === undefined) return null;
  const phases = data.phases.filter(({ lines, problem }) => lines > 0 || problem !== null);
  if (phases.length === 0) return <p>最近 100 期没有已结算的注单可以试算。</p>;
  return (
    <section aria-label="真实注单试算">
      <p>{sentence(data)}</p>
      <DetailTable headings={headings}>
        {phases.map((phase) => (
          <Line key={phase.phase} phase={phase} />
        ))}
      </DetailTable>
    </section>
  );
}
