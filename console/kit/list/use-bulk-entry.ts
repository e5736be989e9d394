import { useState } from 'react';
import { askedFields } from '../form/field-spec.ts';
import { useOptions } from '../form/options.ts';
import { useKept } from '../form/use-kept.ts';
import type { BulkGroup } from './BulkBar.tsx';

/** What is entered once for several rows. It outlives a reload until it is sent or given up. */
export function useBulkEntry({ endpoint, word, fields }: BulkGroup) {
  // What a form draws of one row alone says nothing of several.
  const [asked] = useState(() =>
    askedFields(
      endpoint,
      fields.filter((field) => typeof field === 'string' || !field.input),
    ),
  );
  const [wanted] = useState(() =>
    Object.fromEntries(asked.map(({ field, optionsFor }) => [field.name, optionsFor?.({})])),
  );
  const options = useOptions(wanted);
  const { kept, keep, drop } = useKept(endpoint, `批量${word}`);
  const [values, setValues] = useState(kept);
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const enter = (name: string, value: unknown) => {
    const entered = { ...values, [name]: value };
    setValues(entered);
    keep(entered);
  };
  /** Whether all is there that has to be; what is not is told at its field. */
  const isWhole = (): boolean => {
    const empty = asked.filter(
      ({ field }) => field.required && String(values[field.name] ?? '').trim() === '',
    );
    setMissing(Object.fromEntries(empty.map(({ field }) => [field.name, `${field.label}不能为空`])));
    return empty.length === 0;
  };
  return { asked, options, values, missing, enter, isWhole, drop };
}
