import { useId } from 'react';
import { TextInput } from '../../kit/form/index.ts';

interface CountInputProps {
  readonly label: string;
  readonly count: number;
  readonly onChange: (count: number) => void;
}

/** A small whole number with its label beside it. */
export function CountInput({ label, count, onChange }: CountInputProps) {
  const id = useId();
  return (
    <span className="rule-count">
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        value={count === 0 ? '' : String(count)}
        inputMode="numeric"
        onChange={(text) => onChange(Number(text.replace(/\D/g, '').slice(0, 4)))}
      />
    </span>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A yes or no with its label beside it. */
export const Check = ({ label, checked, onChange }: CheckProps) => (
  <label className="rule-check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);
