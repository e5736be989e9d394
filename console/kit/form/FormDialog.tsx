import { type FormEvent, useId, useMemo, useState } from 'react';
import type { AnyEndpoint, Output } from '#contract/endpoint.ts';
import { SendingContext } from '../call/sending-place.ts';
import { Button } from '../overlay/Button.tsx';
import { Dialog } from '../overlay/Dialog.tsx';
import { useCloseDialog } from '../overlay/Overlays.tsx';
import type { About } from '../overlay/row-context.ts';
import { useErrorFocus } from '../overlay/use-error-focus.ts';
import type { FormOutlook } from './bulk.ts';
import { Conflict } from './Conflict.tsx';
import type { Chosen, Difference } from './conflict.ts';
import type { FormPlace } from './draft-store.ts';
import { dropDraft, readDraft, sendingFrom } from './drafts.ts';
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
  readonly outlook?: FormOutlook | undefined;
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

interface RestoredProps {
  readonly onStartOver: () => void;
  readonly secrets: boolean;
  /** Whether it was sent and no answer came. */
  readonly unanswered: boolean;
}

/** Says that the form begins with what was entered before, and offers to begin anew. */
const Restored = ({ onStartOver, secrets, unanswered }: RestoredProps) => (
  <p className="form-restored" role="status">
    <span>
      {unanswered
        ? '上次提交没有收到响应，可能已经执行；24 小时内原样提交不会重复执行，修改后提交则另算一次'
        : '已恢复上次未提交的内容'}
      {secrets && '，密码等保密内容须重新填写'}
    </span>
    <Button onClick={onStartOver}>重新填写</Button>
  </p>
);

/** Room for two values side by side. */
const WIDE = 760;

/** The form with what becomes of it: sent, given up, or gone back to. */
function useFormDialog<E extends AnyEndpoint>(props: FormDialogProps<E>) {
  const { endpoint, initial, row, place, onDone } = props;
  const [asked] = useState(() => askedFields(endpoint, props.fields));
  const [unanswered] = useState(() => readDraft(place)?.sent !== undefined);
  const form = useForm(endpoint, asked, { initial, place });
  const { values, touched, clash } = form;
  const [leaving, setLeaving] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const { frame, refused } = useErrorFocus<HTMLDivElement>();
  const options = useFieldOptions(asked, { ...row, ...initial, ...values });
  const close = useCloseDialog();
  const leave = () => {
    dropDraft(place);
    close();
  };
  return {
    ...{ asked, form, unanswered, options, leaving, notice, frame, leave },
    stay: () => setLeaving(false),
    ask: () => {
      // What is on its way cannot be given up any more, and what becomes of it is told here.
      if (form.running) return;
      if (touched) setLeaving(true);
      else leave();
    },
    submit: async (event: FormEvent) => {
      event.preventDefault();
      if (clash && undecided(clash)) return setNotice('请为双方都改过的每一项选择保留哪一个');
      setNotice(null);
      const done = await form.submit();
      if (!done) return refused();
      leave();
      onDone?.(done.data);
    },
    change: (name: string, value: unknown) => {
      form.enter(name, value);
      setNotice(null);
      setLeaving(false);
    },
    choose: (chosen: Chosen) => {
      form.choose(chosen);
      setNotice(null);
    },
  };
}

type Dialogue = ReturnType<typeof useFormDialog>;

type FieldsProps = Pick<Dialogue, 'asked' | 'form' | 'options' | 'frame' | 'change'>;

/** The fields that are there by what is entered, each with what is wrong with it; the first of those has the keyboard when the form was refused. */
function Fields({ asked, form, options, frame, change }: FieldsProps) {
  const id = useId();
  const errors = form.failure?.fieldErrors ?? {};
  return (
    <div ref={frame} className="form">
      {visibleIn(asked, form.values).map((one) => (
        <FormField
          key={one.field.name}
          asked={one}
          id={`${id}${one.field.name}`}
          values={form.values}
          onChange={(value) => change(one.field.name, value)}
          options={options[one.field.name]}
          error={errors[one.field.name]}
        />
      ))}
    </div>
  );
}

interface FootProps extends Pick<Dialogue, 'form' | 'notice' | 'ask'> {
  readonly word: string;
}

/** Why it was not sent, where no field says it, and the ways on. */
function Foot({ form, notice, ask, word }: FootProps) {
  const { failure, clash, running } = form;
  const isToldAbove = Object.keys(failure?.fieldErrors ?? {}).length > 0;
  return (
    <div className="form-buttons">
      {notice !== null && (
        <p className="form-leaving" role="alert">
          {notice}
        </p>
      )}
      {notice === null && failure && !isToldAbove && (
        <p className="form-error" role={failure.told ? undefined : 'alert'}>
          {failure.message}
        </p>
      )}
      {clash && <Button onClick={form.settle}>返回表单</Button>}
      <Button onClick={ask}>取消</Button>
      <Button type="submit" tone="primary" aria-disabled={running}>
        {word}
      </Button>
    </div>
  );
}

/** The dialog of a form. It stays open until the server has taken what was entered. */
export function FormDialog<E extends AnyEndpoint>(props: FormDialogProps<E>) {
  const { endpoint, place } = props;
  return (
    <SendingContext value={useMemo(() => sendingFrom(endpoint, place), [endpoint, place])}>
      <OpenForm {...props} />
    </SendingContext>
  );
}

function OpenForm<E extends AnyEndpoint>(props: FormDialogProps<E>) {
  const { title, about, width, row, outlook, submit: word = '提交' } = props;
  const { asked, form, unanswered, options, leaving, notice, frame, ...on } = useFormDialog(props);
  const { clash } = form;
  const room = clash ? Math.max(width ?? 0, WIDE) : width;
  return (
    <Dialog title={title} about={about} onLeave={on.ask} {...(room === undefined ? {} : { width: room })}>
      <form onSubmit={(event) => void on.submit(event)} noValidate>
        {form.restored && !clash && (
          <Restored onStartOver={form.startOver} secrets={hasSecrets(asked)} unanswered={unanswered} />
        )}
        {clash ? (
          <Conflict {...clash} onChoose={on.choose} options={options} />
        ) : (
          <Fields {...{ asked, form, options, frame }} change={on.change} />
        )}
        {!clash && outlook?.([row], form.values)}
        {leaving ? (
          <Leaving onStay={on.stay} onLeave={on.leave} />
        ) : (
          <Foot {...{ form, notice, word }} ask={on.ask} />
        )}
      </form>
    </Dialog>
  );
}
