import { type FormEvent, useId, useMemo, useState } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { FormField } from './FormField.tsx';
import { shapeOf } from './field.ts';
import { type AskedField, askedFields, type FieldSpec } from './field-spec.ts';
import { useCloseDialog } from './Overlays.tsx';
import { useOptions } from './options.ts';
import type { About } from './row-about.tsx';
import { useCommand } from './use-command.ts';

export interface FormDialogProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly fields: readonly FieldSpec[];
  readonly initial: object;
  /** The row the form was opened from, whose fields limit what can be chosen. */
  readonly row: object;
  readonly title: string;
  /** The row the form is about, if it is about one. */
  readonly about: About;
  readonly width?: number | undefined;
  readonly submit?: string | undefined;
  readonly onDone?: ((data: Output<E>) => void) | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** What is entered, and whether any of it was entered by hand. */
function useValues(endpoint: AnyEndpoint, asked: readonly AskedField[], initial: object) {
  const [values, setValues] = useState<Values>(() => {
    const presets = asked.map(({ field }): [string, unknown] => [field.name, field.preset]);
    return { ...Object.fromEntries(presets), ...knownTo(endpoint, initial) };
  });
  const [touched, setTouched] = useState(false);
  const enter = (name: string, value: unknown) => {
    setTouched(true);
    setValues((before) => ({ ...before, [name]: value }));
  };
  return { values, touched, enter };
}

/** What there is to choose from in each field, by what is entered and by the row that the form was opened from. */
function useFieldOptions(asked: readonly AskedField[], known: Values) {
  const limits = JSON.stringify(asked.map(({ field }) => known[field.ref?.of ?? '']));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what limits the choices changes them
  const wanted = useMemo(
    () => Object.fromEntries(asked.map(({ field, optionsFor }) => [field.name, optionsFor?.(known)])),
    [asked, limits],
  );
  return useOptions(wanted);
}

/** The dialog of a form. It stays open until the server has taken what was entered. */
export function FormDialog<E extends AnyEndpoint>(props: FormDialogProps<E>) {
  const { endpoint, initial, row, title, about, width, submit: word = '提交', onDone } = props;
  const id = useId();
  const [asked] = useState(() => askedFields(endpoint, props.fields));
  const { values, touched, enter } = useValues(endpoint, asked, initial);
  const [leaving, setLeaving] = useState(false);
  const options = useFieldOptions(asked, { ...row, ...initial, ...values });
  const { run, running, failure, correct } = useCommand(endpoint);
  const close = useCloseDialog();

  const visible = asked.filter(({ when }) => when?.(values) ?? true);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setLeaving(false);
    const shown = new Set(visible.map(({ field }) => field.name));
    const hidden = asked.map(({ field }) => field.name).filter((name) => !shown.has(name));
    const sent = Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)));
    const data = await run(sent as WireInput<E>);
    if (data === undefined) return;
    close();
    onDone?.(data);
  };
  const change = (name: string, value: unknown) => {
    enter(name, value);
    correct(name);
    setLeaving(false);
  };

  return (
    <Dialog
      title={title}
      about={about}
      // Escape is easily pressed by mistake, 取消 is not.
      onLeave={() => (touched ? setLeaving(true) : close())}
      {...(width === undefined ? {} : { width })}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className="form">
          {visible.map((one) => (
            <FormField
              key={one.field.name}
              asked={one}
              id={`${id}${one.field.name}`}
              values={values}
              onChange={(value) => change(one.field.name, value)}
              options={options[one.field.name]}
              error={failure?.fieldErrors[one.field.name]}
            />
          ))}
        </div>
        <div className="form-buttons">
          {leaving ? (
            <p className="form-leaving" role="alert">
              填写的内容尚未提交，点击“取消”放弃
            </p>
          ) : (
            failure &&
            Object.keys(failure.fieldErrors).length === 0 && <p className="form-error">{failure.message}</p>
          )}
          <Button onClick={close}>取消</Button>
          <Button type="submit" tone="primary" aria-disabled={running}>
            {word}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What of a row the call takes: an edit sends the row's id and all it knows, whether or not a field shows it. */
function knownTo(endpoint: AnyEndpoint, initial: object): Values {
  const shape = shapeOf(endpoint.input);
  return Object.fromEntries(Object.entries(initial).filter(([name]) => name in shape));
}
