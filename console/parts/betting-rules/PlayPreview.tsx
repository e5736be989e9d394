import { type ReactNode, useId, useState } from 'react';
import type { WireInput } from '#contract/endpoint.ts';
import { type PlayWayPreview, previewPlayWay } from '#contract/play-ways.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { NumberInput, TextInput, usePaused } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { ReturnHint } from './ReturnHint.tsx';
import './betting-rules.css';
import { TrialRefused } from './TrialRefused.tsx';
import { type Tried, useTrial, useTried } from './use-tried.ts';

type Input = WireInput<typeof previewPlayWay>;

const fields = ['id', 'name', 'betLatitudeId', 'selection', 'oddsFrom', 'outcomes'] as const;

/** What is entered of the play way, as the call takes it. */
const enteredOf = (values: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.fromEntries(fields.map((field) => [field, values[field]])));

const headings = [
  ...['期号', '开奖结果'],
  ...['中奖注数', '退本金注数', '派彩', '退还'].map((number) => ({ number })),
];

const Result = ({ draws }: { readonly draws: PlayWayPreview['draws'] }) => (
  <DetailTable headings={headings}>
    {draws.map(({ phase, result, won, pushed, payout, refund, problem }) => (
      <tr key={phase}>
        <td>{phase}</td>
        <td>{result}</td>
        {problem === null ? (
          [won, pushed, payout, refund].map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column.
            <td key={place}>{cell}</td>
          ))
        ) : (
          <td colSpan={4}>{problem}</td>
        )}
      </tr>
    ))}
  </DetailTable>
);

/** A bet tried on the latest results: how many units it is, how many won, and how much is paid. */
function Trial({ what, times }: Tried<Input>) {
  const { data, error } = useTrial(previewPlayWay, what, times);
  if (error) return <TrialRefused error={error} />;
  if (!data || data.units === null) return null;
  const { units, maxPayout, capped = false } = data;
  return (
    <>
      <p role="status">
        {`共 ${units} 注，一期最高派彩 ${maxPayout ?? '—'}`}
        {capped && '（已计派彩上限）'}
      </p>
      {data.draws.length === 0 ? <p>该游戏还没有开奖记录。</p> : <Result draws={data.draws} />}
    </>
  );
}

interface PlayPreviewProps {
  readonly values: Readonly<Record<string, unknown>>;
  readonly children: (told: PlayWayPreview | undefined) => ReactNode;
}

/** What a play way as it is entered returns, and below it a bet to be tried. Nothing is kept. */
export function PlayPreview({ values, children }: PlayPreviewProps) {
  const entered: Input = JSON.parse(usePaused(enteredOf(values)));
  const [betId, stakeId] = [useId(), useId()];
  const [bet, setBet] = useState('');
  const [unitStake, setUnitStake] = useState('2');
  const [tried, tryBet] = useTried<Input>();
  // What is tried is what stands there now, however lately it was typed.
  const asked = (): Input => ({ ...JSON.parse(enteredOf(values)), bet, unitStake });
  const { data } = useEndpoint(previewPlayWay, entered, { loading: false });
  return (
    <>
      {children(data)}
      <p role="status" className="rule-return">
        返还率 <ReturnHint rate={data?.returnRate ?? null} />
      </p>
      <div className="rule-part">
        <label htmlFor={betId}>试算选号</label>
        <TextInput
          id={betId}
          value={bet}
          placeholder="如 01,02,03 或 1,2|3|4 或 (01)02,03+04"
          onChange={setBet}
        />
        <label htmlFor={stakeId}>单注金额</label>
        <NumberInput id={stakeId} value={unitStake} onChange={setUnitStake} />
        <Button onClick={() => tryBet(asked())}>试算</Button>
      </div>
      {tried && <Trial {...tried} />}
    </>
  );
}
