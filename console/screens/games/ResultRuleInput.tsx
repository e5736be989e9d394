import type { ResultPart } from '#contract/result-rules.ts';
import type { InputProps } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { Check, CountInput } from '../../parts/betting-rules/CountInput.tsx';
import { PoolInput } from '../../parts/betting-rules/PoolInput.tsx';
import '../../parts/betting-rules/betting-rules.css';

const usual: ResultPart = { count: 1, of: [], repeat: false, ordered: true };

const partsOf = (rule: unknown): readonly ResultPart[] =>
  typeof rule === 'object' && rule !== null && 'parts' in rule && Array.isArray(rule.parts) ? rule.parts : [];

/** What a result of a game is: a line for each of its parts. None means that anything is taken. */
export function ResultRuleInput({ value, onChange }: InputProps) {
  const parts = partsOf(value);
  const set = (next: readonly ResultPart[]) => onChange({ parts: next });
  const change = (place: number, changes: Partial<ResultPart>) =>
    set(parts.map((part, each) => (each === place ? { ...part, ...changes } : part)));
  return (
    <div className="rule-details">
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
        <div className="rule-part" key={place}>
          <CountInput label="个数" count={part.count} onChange={(count) => change(place, { count })} />
          <PoolInput
            label={`第 ${place + 1} 部分号码`}
            pool={part.of}
            onChange={(of) => change(place, { of })}
          />
          <Check label="可重复" checked={part.repeat} onChange={(repeat) => change(place, { repeat })} />
          <Check label="分先后" checked={part.ordered} onChange={(ordered) => change(place, { ordered })} />
          <Button onClick={() => set(parts.filter((_, each) => each !== place))}>移除</Button>
        </div>
      ))}
      <Button onClick={() => set([...parts, usual])}>增加部分</Button>
      <p className="rule-note">
        依次写明每部分开出几个、从哪些号码中开出；不符的结果不采用，不分先后的部分比较时不计顺序。没有部分则不检查。
      </p>
    </div>
  );
}
