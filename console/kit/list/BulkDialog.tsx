import { type FormEvent, useId, useState } from 'react';
import type { Sums } from '#contract/endpoint.ts';
import { useHeld } from '../form/drafts.ts';
import { FormField } from '../form/FormField.tsx';
import { Leaving } from '../form/Leaving.tsx';
import { Button } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { useCloseDialog } from '../overlay/Overlays.tsx';
import type { About } from '../overlay/row-context.ts';
import type { BulkGroup } from './BulkBar.tsx';
import { BulkOutcome, BulkRows } from './BulkOutcome.tsx';
import { Totals } from './ListSums.tsx';
import { totalsOf } from './totals.ts';
import { useBulkEntry } from './use-bulk-entry.ts';
import { useBulkRun } from './use-bulk-run.ts';
import './bulk.css';

export interface BulkDialogProps {
  readonly group: BulkGroup;
  readonly aboutOf: (row: object) => About;
  readonly sums: Sums | undefined;
  /** Called with the keys of the rows that are not done. */
  readonly onEnd: (failed: readonly string[]) => void;
}

/** Does one thing to several rows: asks what has to be said once, then tells of each row what became of it; the failed can be tried again. */
export function BulkDialog({ group, aboutOf, sums, onEnd }: BulkDialogProps) {
  const { word, danger, items } = group;
  const close = useCloseDialog();
  const entry = useBulkEntry(group);
  const [leaving, setLeaving] = useState(false);
  const { run, stop, running, ends } = useBulkRun(group);
  useHeld(running);
  const [tried, setTried] = useState(items);
  const failed = tried.filter(({ key }) => ends.get(key)?.as === 'failed');
  const started = running || ends.size > 0;
  const leave = () => {
    entry.drop();
    close();
  };
  const ask = () => {
    if (running) return;
    if (!started && Object.keys(entry.values).length > 0) setLeaving(true);
    else leave();
  };
  const start = async (which: typeof items) => {
    setTried(which);
    const ended = await run(which, entry.values);
    entry.drop();
    onEnd(which.map(({ key }) => key).filter((key) => ended.get(key)?.as === 'failed'));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entry.isWhole()) void start(items);
  };

  return (
    <Dialog title={`${word}：${items.length} 行`} width={560} onLeave={ask}>
      <form onSubmit={submit} noValidate>
        {started ? (
          <BulkOutcome {...{ tried, ends, running, aboutOf }} />
        ) : (
          <BulkFields {...{ group, entry, aboutOf, sums }} onEnter={() => setLeaving(false)} />
        )}
        {leaving ? (
          <Leaving onStay={() => setLeaving(false)} onLeave={leave} />
        ) : (
          <div className="form-buttons">
            {running && <Button onClick={stop}>停止</Button>}
            {!running && <Button onClick={ask}>{started ? '关闭' : '取消'}</Button>}
            {!running && started && failed.length > 0 && (
              <Button tone="primary" onClick={() => void start(failed)}>
                {`重试失败的 ${failed.length} 行`}
              </Button>
            )}
            {!started && (
              <Button type="submit" tone={danger ? 'danger' : 'primary'}>
                {word}
              </Button>
            )}
          </div>
        )}
      </form>
    </Dialog>
  );
}

interface BulkFieldsProps extends Pick<BulkDialogProps, 'aboutOf' | 'sums'> {
  readonly entry: ReturnType<typeof useBulkEntry>;
  readonly group: BulkGroup;
  readonly onEnter: () => void;
}

/** What has to be said once, which rows it goes to, and what it would do to them. */
function BulkFields({ entry, group, aboutOf, sums, onEnter }: BulkFieldsProps) {
  const { word, items, outlook } = group;
  const id = useId();
  const rows = items.map(({ row }) => row);
  return (
    <div className="form">
      {entry.asked.map((one) => (
        <FormField
          key={one.field.name}
          asked={one}
          id={`${id}${one.field.name}`}
          values={entry.values}
          onChange={(value) => {
            entry.enter(one.field.name, value);
            onEnter();
          }}
          options={entry.options[one.field.name]}
          error={entry.missing[one.field.name]}
        />
      ))}
      <div className="bulk-told">
        <p>{`将对所选的 ${items.length} 行逐一执行“${word}”。`}</p>
        <BulkRows {...{ items, aboutOf }} />
        {sums && <Totals of="所选" totals={totalsOf(sums, rows)} />}
        {outlook?.(rows, entry.values)}
      </div>
    </div>
  );
}
