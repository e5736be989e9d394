import { type FormEvent, useId, useState } from 'react';
import { FormField } from '../form/FormField.tsx';
import { askedFields } from '../form/field-spec.ts';
import { Leaving } from '../form/Leaving.tsx';
import { useOptions } from '../form/options.ts';
import { useKept } from '../form/use-kept.ts';
import { Button, PlaceContext } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { useCloseDialog } from '../overlay/Overlays.tsx';
import type { About } from '../overlay/row-context.ts';
import type { BulkGroup } from './BulkBar.tsx';
import { useBulkRun } from './use-bulk-run.ts';
import './bulk.css';

export interface BulkDialogProps {
  readonly group: BulkGroup;
  readonly aboutOf: (row: object) => About;
  /** Called with the keys of the rows that are not done. */
  readonly onEnd: (failed: readonly string[]) => void;
}

/** A row as its operator knows it. */
const RowName = ({ about }: { readonly about: About }) => (
  <span>
    <PlaceContext value="about">
      {about.map(({ label, value }, place) => (
        <span key={label}>
          {place > 0 && ' · '}
          {label} {value}
        </span>
      ))}
    </PlaceContext>
  </span>
);

/** Does one thing to several rows: asks what has to be said once, then tells of each row what became of it; the failed can be tried again. */
export function BulkDialog({ group, aboutOf, onEnd }: BulkDialogProps) {
  const { endpoint, word, danger, items } = group;
  const id = useId();
  const close = useCloseDialog();
  // What a form draws of one row alone says nothing of several.
  const [asked] = useState(() =>
    askedFields(
      endpoint,
      group.fields.filter((field) => typeof field === 'string' || !field.input),
    ),
  );
  const options = useOptions(
    useState(() =>
      Object.fromEntries(asked.map(({ field, optionsFor }) => [field.name, optionsFor?.({})])),
    )[0],
  );
  const { kept, keep, drop } = useKept(endpoint, `批量${word}`);
  const [values, setValues] = useState(kept);
  const [leaving, setLeaving] = useState(false);
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const { run, stop, running, ends } = useBulkRun(group);
  const [tried, setTried] = useState(items);
  const done = [...ends.values()].filter((ended) => ended === null).length;
  const failed = tried.filter(({ key }) => (ends.get(key) ?? null) !== null);
  const started = running || ends.size > 0;
  const enter = (name: string, value: unknown) => {
    const entered = { ...values, [name]: value };
    setValues(entered);
    setLeaving(false);
    keep(entered);
  };
  const leave = () => {
    drop();
    close();
  };
  const ask = () => {
    if (running) return;
    if (!started && Object.keys(values).length > 0) setLeaving(true);
    else leave();
  };

  const start = async (which: typeof items) => {
    setTried(which);
    const ended = await run(which, values);
    drop();
    onEnd(which.map(({ key }) => key).filter((key) => ended.get(key) !== null));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const empty = asked.filter(
      ({ field }) => field.required && String(values[field.name] ?? '').trim() === '',
    );
    setMissing(Object.fromEntries(empty.map(({ field }) => [field.name, `${field.label}不能为空`])));
    if (empty.length === 0) void start(items);
  };

  return (
    <Dialog title={`${word}：${items.length} 行`} width={560} onLeave={ask}>
      <form onSubmit={submit} noValidate>
        {!started && (
          <div className="form">
            {asked.map((one) => (
              <FormField
                key={one.field.name}
                asked={one}
                id={`${id}${one.field.name}`}
                values={values}
                onChange={(value) => enter(one.field.name, value)}
                options={options[one.field.name]}
                error={missing[one.field.name]}
              />
            ))}
            <p>{`将对所选的 ${items.length} 行逐一执行“${word}”。`}</p>
          </div>
        )}
        {started && (
          <div aria-live="polite">
            <progress className="bulk-progress" aria-label="进度" max={tried.length} value={ends.size} />
            <p>{`成功 ${done} 行，失败 ${failed.length} 行，共 ${tried.length} 行`}</p>
            <ul className="bulk-rows" aria-label="每行的结果">
              {tried
                .filter(({ key }) => ends.has(key))
                .toSorted(
                  (one, other) => Number(ends.get(one.key) === null) - Number(ends.get(other.key) === null),
                )
                .map(({ key, row }) => (
                  <li key={key}>
                    <RowName about={aboutOf(row)} />
                    <span className={ends.get(key) === null ? '' : 'form-error'}>
                      {ends.get(key) ?? '成功'}
                    </span>
                  </li>
                ))}
            </ul>
          </div>
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
