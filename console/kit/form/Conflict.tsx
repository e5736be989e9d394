import { useEffect, useId, useRef } from 'react';
import { nestedWords } from '#contract/nested-words.ts';
import { Button } from '../overlay/Button.tsx';
import type { Chosen, Difference, Side } from './conflict.ts';
import type { Option } from './options.ts';
import { Tag } from './Tag.tsx';
import type { Tone } from './tones.ts';
import './conflict.css';

interface ConflictProps {
  readonly differences: readonly Difference[];
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  /** The names of what a field's ids stand for, by field. */
  readonly options: Readonly<Record<string, readonly Option[] | undefined>>;
}

const sides: readonly { side: Side; head: string; word: string }[] = [
  { side: 'mine', head: '我的', word: '保留我的' },
  { side: 'theirs', head: '对方的', word: '采用对方的' },
];

const changers: Readonly<Record<Difference['changedBy'], { word: string; tone: Tone }>> = {
  mine: { word: '我改过', tone: 'idle' },
  theirs: { word: '对方改过', tone: 'busy' },
  both: { word: '双方都改过', tone: 'warn' },
};

/** A value as an operator reads it: names for ids, words for codes. */
function wordOf({ asked }: Difference, value: unknown, options: readonly Option[] | undefined): string {
  const one = (each: unknown): string =>
    options?.find((option) => String(option.value) === String(each))?.label ??
    asked.field.words?.[String(each)] ??
    String(each);
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value) && options) return value.map(one).join('、');
  if (typeof value === 'object') return nestedWords(value, asked.field.nested);
  return asked.field.kind === 'secret' ? '******' : one(value);
}

/** What a form and the row as it is now do not agree in, field by field, to be decided field by field or all at once. */
export function Conflict({ differences, chosen, onChoose, options }: ConflictProps) {
  const section = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => section.current?.focus({ preventScroll: true }), []);
  const all = (side: Side) =>
    onChoose(Object.fromEntries(differences.map(({ asked }) => [asked.field.name, side])));

  return (
    <section ref={section} className="conflict" tabIndex={-1} aria-labelledby={id}>
      <p id={id} role="alert">
        您填写的时候，其他人修改了这条记录。请选择两边不同的各项保留哪一个，再提交。
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">字段</th>
            {sides.map(({ side, head, word }) => (
              <th key={side} scope="col">
                <span>{head}</span>
                <Button tone="normal" onClick={() => all(side)}>{`全部${word}`}</Button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <Line
              key={difference.asked.field.name}
              difference={difference}
              choice={chosen[difference.asked.field.name]}
              onChoose={(side) => onChoose({ ...chosen, [difference.asked.field.name]: side })}
              options={options[difference.asked.field.name]}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps {
  readonly difference: Difference;
  readonly choice: Side | undefined;
  readonly onChoose: (side: Side) => void;
  readonly options: readonly Option[] | undefined;
}

function Line({ difference, choice, onChoose, options }: LineProps) {
  const { label, name } = difference.asked.field;
  const { word: who, tone } = changers[difference.changedBy];
  return (
    <tr>
      <th scope="row">
        {label}
        <Tag tone={tone}>{who}</Tag>
      </th>
      {sides.map(({ side, word }) => (
        <td key={side}>
          <label className="conflict-side" data-chosen={choice === side || undefined}>
            <span className="conflict-value">
              {wordOf(difference, difference[side], options) || <i>（空）</i>}
            </span>
            <span className="conflict-choice">
              <input
                type="radio"
                name={name}
                aria-label={`${label}：${word}`}
                checked={choice === side}
                onChange={() => onChoose(side)}
              />
              {word}
            </span>
          </label>
        </td>
      ))}
    </tr>
  );
}
