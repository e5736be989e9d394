import { useId, useState } from 'react';
import { numbersIn } from '#contract/number-text.ts';
import { TextInput } from '../../kit/form/index.ts';
import { poolText } from './pool-text.ts';

interface PoolInputProps {
  readonly label: string;
  readonly pool: readonly string[];
  readonly onChange: (pool: string[]) => void;
}

/** Numbers to choose from, typed as `01-33` or one by one; what is typed stays as it was typed. */
export function PoolInput({ label, pool, onChange }: PoolInputProps) {
  const id = useId();
  const [typed, setTyped] = useState(() => poolText(pool));
  const text = numbersIn(typed).join() === pool.join() ? typed : poolText(pool);
  const type = (next: string) => {
    setTyped(next);
    onChange(numbersIn(next));
  };
  return (
    <span className="rule-pool">
      <label htmlFor={id}>{label}</label>
      <TextInput id={id} value={text} placeholder="如 01-33 或 1,2,3" onChange={type} />
    </span>
  );
}
