import { wordOf } from '#contract/fields.ts';
import { DryRunResult } from '#contract/spiders.ts';
import { Tag, type Tone } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Dialog } from '../../kit/overlay/index.ts';
import '../../parts/draws/draws.css';

const tones: Readonly<Record<DryRunResult['outcome'], Tone>> = {
  NEW: 'good',
  AWAITED: 'warn',
  SAME: 'idle',
  CONFLICT: 'bad',
  EARLY: 'warn',
  LOCAL: 'idle',
  SPOILT: 'bad',
  UNFIT: 'bad',
  UNKNOWN: 'warn',
};

/** What a source gives right now, and what storing it would do. Nothing has been stored. */
export function DryRunDialog({
  name,
  results,
}: {
  readonly name: string;
  readonly results: readonly DryRunResult[];
}) {
  return (
    <Dialog title={`试运行：${name}`} width={760}>
      <p className="draw-note">{`来源现在给出 ${results.length} 期。试运行不保存任何结果。`}</p>
      <DetailTable headings={['期号', '开奖结果', '开奖时间', '处理']}>
        {results.map(({ phase, result, openTime, outcome }) => (
          <tr key={phase}>
            <td>{phase}</td>
            <td className="draw-numbers">{result}</td>
            <td>{openTime ?? '—'}</td>
            <td>
              <Tag tone={tones[outcome]}>{wordOf(DryRunResult.shape.outcome, outcome)}</Tag>
            </td>
          </tr>
        ))}
      </DetailTable>
    </Dialog>
  );
}
