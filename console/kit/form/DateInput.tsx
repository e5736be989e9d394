import { Suspense } from 'react';
import { whenIdle } from '../call/when-idle.ts';
import { fetched } from '../overlay/fetched.tsx';
import type { DateInputProps } from './DateInputs.tsx';
import { TextInput } from './TextInput.tsx';

/** Pickers are heavy, and nobody picks before having seen the list. */
const load = async () => {
  await whenIdle();
  return import('./DateInputs.tsx');
};

const inputs = {
  range: fetched(() => load().then(({ RangeInput }) => RangeInput)),
  days: fetched(() => load().then(({ DaysInput }) => DaysInput)),
  day: fetched(() => load().then(({ DayInput }) => DayInput)),
  dateTime: fetched(() => load().then(({ MomentInput }) => MomentInput)),
  time: fetched(() => load().then(({ ClockInput }) => ClockInput)),
} as const;

export const isDateKind = (kind: string): kind is keyof typeof inputs => Object.hasOwn(inputs, kind);

/** A range of moments or of days, a day, a moment or a time of day; until its picker is there it stands in its place. */
export function DateInput({ kind, ...props }: DateInputProps & { readonly kind: keyof typeof inputs }) {
  const Input = inputs[kind];
  const text = Array.isArray(props.value) ? props.value.join(' → ') : String(props.value ?? '');
  return (
    <Suspense fallback={<TextInput id={props.id} value={text} onChange={() => undefined} disabled />}>
      <Input {...props} />
    </Suspense>
  );
}
