import { generateDrawPlans, PlanOutlook, previewDrawPlans } from '#contract/draw-plans.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { wordOf } from '#contract/fields.ts';
import { useCommand, useEndpoint } from '../../kit/call/index.ts';
import { Tag, type Tone } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { Button, Dialog, useCloseDialog } from '../../kit/overlay/index.ts';

type Fates = PlanOutlook['fates'];
type Fate = Fates[number]['what'];
const tones: Readonly<Record<Fate, Tone>> = { ADDED: 'good', REPLACED: 'warn', REMOVED: 'bad', KEPT: 'idle' };
const fate = PlanOutlook.shape.fates.element.shape.what;

interface PlanOutlookDialogProps {
  readonly title: string;
  readonly asked: WireInput<typeof previewDrawPlans>;
}

/** What making a game's plans anew would do; it is done at a click, or not at all. */
export function PlanOutlookDialog({ title, asked }: PlanOutlookDialogProps) {
  const { data, error, refetch } = useEndpoint(previewDrawPlans, asked);
  const { run, running } = useCommand(generateDrawPlans, { tell: true });
  const close = useCloseDialog();
  const generate = async () => {
    if ((await run({ ...asked, digest: data?.digest })) !== undefined) close();
    // What stands there is what would be done now, once the ground has changed.
    else await refetch();
  };
  const buttons = (
    <div className="form-buttons">
      <Button onClick={close}>取消</Button>
      {data && !error && (
        <Button tone="primary" aria-disabled={running} onClick={() => void generate()}>
          重新生成
        </Button>
      )}
    </div>
  );
  return (
    <Dialog title={title} width={760} footer={buttons}>
      {error ? (
        <p role="alert" className="form-error">
          {error.message}
        </p>
      ) : (
        data && <Outlook fates={data.fates} />
      )}
    </Dialog>
  );
}

function Outlook({ fates }: { readonly fates: Fates }) {
  if (fates.length === 0) return <p>这段时间没有计划，日程中也没有要生成的期次。</p>;
  return (
    <DetailTable label="重新生成的影响" headings={['处理', { number: '期数' }, '原因', '期号', '时间']}>
      {fates.map(({ what, why, count, firstPhase, lastPhase, from, to }) => (
        <tr key={`${what} ${why}`}>
          <td>
            <Tag tone={tones[what]}>{wordOf(fate, what)}</Tag>
          </td>
          <td>{count}</td>
          <td>{why}</td>
          <td>{count > 1 ? `${firstPhase} 至 ${lastPhase}` : firstPhase}</td>
          <td>{`${from} 至 ${to}`}</td>
        </tr>
      ))}
    </DetailTable>
  );
}
