import { type FormEvent, useId, useMemo, useState } from 'react';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { FormInput } from './FormInput.tsx';
import { shapeOf } from './field.ts';
import { askedFields, type FieldSpec } from './field-spec.ts';
import { useCloseDialog } from './Overlays.tsx';
import { useOptions } from './options.ts';
import { useCommand } from './use-command.ts';

export interface FormDialogProps<E extends AnyEndpoint> {
  readonly endpoint: E;
  readonly fields: readonly FieldSpec[];
  readonly initial: object;
  readonly title: string;
  readonly width?: number | undefined;
  readonly onDone?: ((data: Output<E>) => void) | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** The dialog of a form. It stays open until the server has taken what was entered. */
export function FormDialog<E extends AnyEndpoint>(props: FormDialogProps<E>) {
  const { endpoint, initial, title, width, onDone } = props;
  const id = useId();
  const [asked] = useState(() => askedFields(endpoint, props.fields));
  const [values, setValues] = useState<Values>(() => {
    const presets = asked.map(({ field }): [string, unknown] => [field.name, field.preset]);
    return { ...Object.fromEntries(presets), ...knownTo(endpoint, initial) };
  });
  const options = useOptions(
    useMemo(() => Object.fromEntries(asked.map((one) => [one.field.name, one.options])), [asked]),
  );
  const { run, running, failure } = useCommand(endpoint);
  const close = useCloseDialog();
  const fieldErrors = failure?.fieldErrors ?? {};

  const visible = asked.filter(({ when }) => when?.(values) ?? true);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const hidden = new Set(asked.filter((one) => !visible.includes(one)).map(({ field }) => field.name));
    const sent = Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name)));
    const data = await run(sent as WireInput<E>);
    if (data === undefined) return;
    close();
    onDone?.(data);
  };

  return (
    <Dialog title={title} {...(width === undefined ? {} : { width })}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className="form">
          {visible.map((one) => {
            const { name, label, required } = one.field;
            const error = fieldErrors[name];
            const hint = one.hint?.(values);
            return (
              <div key={name} className="form-field">
                <label htmlFor={`${id}${name}`} data-required={(required && !one.input) || undefined}>
                  {label}
                </label>
                <div className="form-input">
                  <FormInput
                    asked={one}
                    id={`${id}${name}`}
                    value={values[name]}
                    values={values}
                    onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
                    options={options[name]}
                    invalid={error !== undefined}
                    describedBy={hint === undefined ? undefined : `${id}${name}-hint`}
                  />
                  {hint !== undefined && (
                    <p id={`${id}${name}-hint`} className="form-hint">
                      {hint}
                    </p>
                  )}
                  {error !== undefined && (
                    <p className="form-error" role="alert">
                      {error}
                    </p>
                  )}
                </div>
              </div>
            );
          })}
        </div>
        <div className="form-buttons">
          {failure && Object.keys(fieldErrors).length === 0 && (
            <p className="form-error">{failure.message}</p>
          )}
          <Button onClick={close}>取消</Button>
          <Button type="submit" tone="primary" aria-disabled={running}>
            提交
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
