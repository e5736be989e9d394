import { useId, useState } from 'react';
import { previewBetLatitude } from '#contract/bet-latitudes.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { tryRules } from '#contract/rule-sandbox.ts';
import { useMay } from '../../kit/call/index.ts';
import { TextInput } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { SandboxTable } from './SandboxTable.tsx';
import './betting-rules.css';
import { TrialRefused } from './TrialRefused.tsx';
import { useTrial, useTried } from './use-tried.ts';

type Reading = WireInput<typeof previewBetLatitude>;

/** What a way to read results makes of its game's latest ones, of the last hundred, or of one that is typed, and what it would change for real slips. */
export function PreviewTable({ reading }: { readonly reading: Reading }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [tried, tryBy] = useTried<Pick<Reading, 'last' | 'result'>>();
  const [slipsTried, trySlips] = useTried<true>();
  const mayTry = useMay(tryRules);
  const latitude = mayTry && typeof reading.id === 'number' ? reading.id : undefined;
  return (
    <>
      <Results reading={{ ...reading, ...tried?.what }} times={tried?.times ?? 0} />
      <div className="rule-part preview-trials">
        <Button onClick={() => tryBy({ last: 100 })}>最近 100 期</Button>
        <label htmlFor={id}>指定结果</label>
        <TextInput id={id} value={typed} placeholder="如 1,2,3" onChange={setTyped} />
        <Button onClick={() => tryBy({ result: typed })}>按此结果试算</Button>
        {latitude !== undefined && <Button onClick={() => trySlips(true)}>用真实注单试算</Button>}
      </div>
      {latitude !== undefined && slipsTried && (
        <SandboxTable
          times={slipsTried.times}
          trial={{ ...reading, id: latitude, last: 100, result: tried?.what.result }}
        />
      )}
    </>
  );
}

function Results({ reading, times }: { readonly reading: Reading; readonly times: number }) {
  const { data, error } = useTrial(previewBetLatitude, reading, times);
  if (error) return <TrialRefused error={error} />;
  if (data === undefined) return null;
  if (data.length === 0) return <p>该游戏还没有开奖记录，有了结果后可在此预览。</p>;
  return (
    <DetailTable headings={['期号', '开奖结果', '中奖号码', '退本金号码']}>
      {data.map(({ phase, result, winners, pushes, problem }) => (
        <tr key={phase}>
          <td>{phase}</td>
          <td>{result}</td>
          <td>{problem ?? (winners.join('、') || '无')}</td>
          <td>{pushes.join('、') || '—'}</td>
        </tr>
      ))}
    </DetailTable>
  );
}
