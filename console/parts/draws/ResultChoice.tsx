import { applyCorrection } from '#contract/corrections.ts';
import { type DrawRecord, resolveDrawRecord } from '#contract/draw-records.ts';
import { useMay } from '../../kit/call/index.ts';
import { FormButton } from '../../kit/form/index.ts';
import { CorrectionPreview } from './CorrectionPreview.tsx';

/** What is known of a record whose result is to be chosen. */
type Said = Pick<DrawRecord, 'id' | 'phase' | 'result' | 'source' | 'conflict' | 'conflicts'>;

/** What sources said of a record; the one that stands is first, and to be chosen only while they disagree. */
const saidOf = ({ source, result, conflict, conflicts }: Said) => [
  ...(conflict ? [{ value: result, label: `${result}（${source ?? '来源不详'}，现行）` }] : []),
  ...conflicts
    .filter((claim) => claim.result !== result)
    .map((claim) => ({ value: claim.result, label: `${claim.result}（${claim.source}）` })),
];

/** Whoever may move money sees what it moves first; others settle records that nobody bet on. */
export function ResultChoice({ record }: { readonly record: Said }) {
  const { id, phase, result, conflict } = record;
  const chosen = { field: 'result', label: '采用结果', options: saidOf(record) } as const;
  const title = conflict ? `处理期号 ${phase} 的结果冲突` : `更正期号 ${phase} 的结果`;
  const word = conflict ? '处理冲突' : '更正结果';
  const initial = conflict ? { result } : {};
  const foresees = useMay(applyCorrection);
  if (!foresees)
    return (
      <FormButton
        endpoint={resolveDrawRecord}
        fields={[chosen, 'reason']}
        initial={{ id, ...initial }}
        title={title}
      >
        {word}
      </FormButton>
    );
  return (
    <FormButton
      endpoint={applyCorrection}
      fields={[
        chosen,
        {
          field: 'digest',
          label: '预览',
          required: true,
          hint: () => '核对变动的注单与金额后再提交；换了结果须重新预览',
          input: (props) => <CorrectionPreview {...props} recordId={id} />,
        },
        'reason',
      ]}
      initial={{ recordId: id, ...initial }}
      title={title}
      width={720}
    >
      {word}
    </FormButton>
  );
}
