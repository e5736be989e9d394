import { type FormEvent, useId, useMemo, useState } from 'react';
import type { AnyEndpoint, Output } from '#contract/endpoint.ts';
import { Button } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { useCloseDialog } from '../overlay/Overlays.tsx';
import type { About } from '../overlay/row-context.ts';
import { Conflict } from './Conflict.tsx';
import type { Chosen, Difference } from './conflict.ts';
import { dropDraft, type FormPlace } from './drafts.ts';
import { FormField } from './FormField.tsx';
import { type AskedField, askedFields, type FieldSpec } from './field-spec.ts';
import { Leaving } from './Leaving.tsx';
import { useOptions } from './options.ts';
import { useForm, visibleIn } from './use-form.ts';

export interface FormDialogProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly fields: readonly FieldSpec[];
  readonly initial: object;
  /** The row the form was opened from, whose fields limit what can be chosen. */
  readonly row: object;
  readonly title: string;
  /** The row the form is about, if it is about one. */
  readonly about: About;
  /** Which form it is, so that what was entered in it is found again. */
  readonly place: FormPlace;
  readonly width?: number | undefined;
  readonly submit?: string | undefined;
  readonly onDone?: ((data: Output<E>) => void) | undefined;
}

/** What there is to choose from in each field, by what is entered and by the row that the form was opened from. */
function useFieldOptions(asked: readonly AskedField[], known: Readonly<Record<string, unknown>>) {
  const limits = JSON.stringify(asked.map(({ field }) => known[field.ref?.of ?? '']));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what limits the choices changes them
  const wanted = useMemo(
    () => Object.fromEntries(asked.map(({ field, optionsFor }) => [field.name, optionsFor?.(known)])),
    [asked, limits],
  );
  return useOptions(wanted);
}

const undecided = ({
  differences,
  chosen,
}: {
  differences: readonly Difference[];
  chosen: Chosen;
}): boolean => differences.some(({ asked }) => chosen[asked.field.name] === undefined);

const hasSecrets = (asked: readonly AskedField[]): boolean =>
  asked.some(({ field }) => field.kind === 'secret');

/** Says that the form begins with what was entered before, and offers to begin anew. */
const Restored = ({ onStartOver, secrets }: { onStartOver: () => void; secrets: boolean }) => (
  <p className="form-restored" role="status">
    <span>已恢复上次未提交的内容{secrets && '，密码等保密内容须重新填写'}</span>
    <Button onClick={onStartOver}>重新填写</Button>
  </p>
);

/** Room for two values side by side. */
const WIDE = 760;

/** The dialog of a form. It stays open until the server has taken what was entered. */
export function FormDialog<E extends AnyEndpoint>(props: FormDialogProps<E>) {
  const { endpoint, initial, row, title, about, place, width, submit: word = '提交', onDone } = props;
  const id = useId();
  const [asked] = useState(() => askedFields(endpoint, props.fields));
  const { values, touched, running, failure, clash, ...form } = useForm(endpoint, asked, { initial, place });
  const [leaving, setLeaving] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const options = useFieldOptions(asked, { ...row, ...initial, ...values });
  const close = useCloseDialog();

  const leave = () => {
    dropDraft(place);
    close();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (clash && undecided(clash)) return setNotice('请为双方都改过的每一项选择保留哪一个');
    setNotice(null);
    const done = await form.submit();
    if (!done) return;
    leave();
    onDone?.(done.data);
  };
  const change = (name: string, value: unknown) => {
    form.enter(name, value);
    setNotice(null);
    setLeaving(false);
  };
  const choose = (chosen: Chosen) => {
    form.choose(chosen);
    setNotice(null);
  };
  const ask = () => (touched ? setLeaving(true) : leave());
  const errors = failure?.fieldErrors ?? {};

  return (
    <Dialog
      title={title}
      about={about}
      onLeave={ask}
      {...(clash ? { width: Math.max(width ?? 0, WIDE) } : width === undefined ? {} : { width })}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        {form.restored && !clash && <Restored onStartOver={form.startOver} secrets={hasSecrets(asked)} />}
        {clash ? (
          <Conflict {...clash} onChoose={choose} options={options} />
        ) : (
          <div className="form">
            {visibleIn(asked, values).map((one) => (
              <FormField
                key={one.field.name}
                asked={one}
                id={`${id}${one.field.name}`}
                values={values}
                onChange={(value) => change(one.field.name, value)}
                options={options[one.field.name]}
                error={errors[one.field.name]}
              />
            ))}
          </div>
        )}
        {leaving ? (
          <Leaving onStay={() => setLeaving(false)} onLeave={leave} />
        ) : (
          <div className="form-buttons">
            {notice !== null ? (
              <p className="form-leaving" role="alert">
                {notice}
              </p>
            ) : (
              failure && Object.keys(errors).length === 0 && <p className="form-error">{failure.message}</p>
            )}
            {clash && <Button onClick={form.settle}>返回表单</Button>}
            <Button onClick={ask}>取消</Button>
            <Button type="submit" tone="primary" aria-disabled={running}>
              {word}
            </Button>
          </div>
        )}
      </form>
    </Dialog>
  );
}
