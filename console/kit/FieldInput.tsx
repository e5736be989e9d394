import { Input, Radio, Select } from 'antd';
import { lazy, Suspense } from 'react';
import type { AskedField } from './field-spec.ts';
import type { Option, OptionValue } from './options.ts';

const DateInputs = {
  range: lazy(() => import('./DateInputs.tsx').then(({ RangeInput }) => ({ default: RangeInput }))),
  dateTime: lazy(() => import('./DateInputs.tsx').then(({ MomentInput }) => ({ default: MomentInput }))),
  time: lazy(() => import('./DateInputs.tsx').then(({ ClockInput }) => ({ default: ClockInput }))),
} as const;

interface FieldInputProps {
  readonly asked: AskedField;
  readonly id: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The choices, for fields that have any; undefined while they are read. */
  readonly options?: readonly Option[] | undefined;
  readonly invalid?: boolean;
  /** In a search every field may stay open; in a form few choices are all shown. */
  readonly purpose: 'search' | 'form';
}

const RADIO_MOST = 4;
const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** The choices a field has by itself: the words of a choice or flag. */
const ownOptions = ({ field }: AskedField): Option[] | undefined =>
  field.words &&
  Object.entries(field.words).map(([code, label]) => ({
    value: field.kind === 'flag' ? code === 'true' : code,
    label,
  }));

/** The input that fits a field's kind. What is typed is sent as typed: the server's word on it is final. */
export function FieldInput(props: FieldInputProps) {
  const { asked, id, value, onChange, invalid = false, purpose } = props;
  const { field, placeholder } = asked;
  if (asked.input) return asked.input({ id, value, onChange });
  const choices = asked.options ? (props.options ?? []) : ownOptions(asked);
  if (choices) return <ChoiceInput {...props} choices={choices} waiting={asked.options && !props.options} />;
  if (field.kind === 'range' || field.kind === 'dateTime' || field.kind === 'time') {
    const DateInput = DateInputs[field.kind];
    return (
      <Suspense fallback={<Input id={id} disabled />}>
        <DateInput id={id} label={field.label} value={value} onChange={onChange} />
      </Suspense>
    );
  }
  const common = {
    ...{ id, value: textOf(value), placeholder, 'aria-invalid': invalid || undefined },
    status: invalid ? ('error' as const) : ('' as const),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (field.kind === 'longText') return <Input.TextArea {...common} autoSize={{ minRows: 2, maxRows: 20 }} />;
  if (field.kind === 'secret') return <Input.Password {...common} autoComplete="new-password" />;
  const isNumber = field.kind === 'integer' || field.kind === 'decimal' || field.kind === 'id';
  return (
    <Input
      {...common}
      allowClear={purpose === 'search'}
      autoComplete="off"
      inputMode={isNumber ? 'decimal' : 'text'}
    />
  );
}

interface ChoiceInputProps extends FieldInputProps {
  readonly choices: readonly Option[];
  readonly waiting: boolean | undefined;
}

function ChoiceInput({ asked, id, value, onChange, choices, waiting, invalid, purpose }: ChoiceInputProps) {
  const { field, placeholder } = asked;
  // The address holds text where a choice is a number or a flag.
  const same = (one: unknown): unknown =>
    choices.find((choice) => String(choice.value) === String(one))?.value ?? one;
  if (purpose === 'form' && !asked.options && choices.length <= RADIO_MOST) {
    return (
      <Radio.Group
        id={id}
        aria-label={field.label}
        value={same(value)}
        onChange={(event) => onChange(event.target.value)}
        options={choices.map((choice) => ({ value: choice.value as string, label: choice.label }))}
      />
    );
  }
  const chosen = field.many
    ? Array.isArray(value)
      ? value.map(same)
      : []
    : value === ''
      ? undefined
      : same(value);
  return (
    <Select<unknown, { value: OptionValue; label: string; title: string }>
      id={id}
      className="field-select"
      {...(field.many ? { mode: 'multiple' as const } : {})}
      value={chosen ?? undefined}
      onChange={(next: unknown) => onChange(next ?? '')}
      placeholder={placeholder ?? (purpose === 'search' ? '全部' : '请选择')}
      options={choices.map(({ value: code, label, depth = 0 }) => ({
        value: code,
        label: `${'\u3000'.repeat(depth)}${label}`,
        title: label,
      }))}
      showSearch={{ optionFilterProp: 'title' }}
      allowClear
      loading={waiting ?? false}
      status={invalid ? 'error' : ''}
      popupMatchSelectWidth={false}
    />
  );
}
