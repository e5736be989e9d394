import { type SelectionRule, selectionKinds } from '#contract/selections.ts';
import type { InputProps } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { Check, CountInput } from './CountInput.tsx';
import { PoolInput } from './PoolInput.tsx';
import {
  anotherPart,
  editedSelection,
  kindOf,
  type PartValue,
  type SelectionValue,
  sentSelection,
  withPoolsApart,
} from './selection-value.ts';
import './betting-rules.css';

interface PartsProps {
  readonly kind: 'GROUP' | 'TICKET';
  /** Whether each part has numbers of its own. */
  readonly apart: boolean;
  readonly parts: readonly PartValue[];
  readonly onChange: (parts: readonly PartValue[]) => void;
}

/** The parts of a group or a ticket, each in a line. */
function Parts({ kind, apart, parts, onChange }: PartsProps) {
  const change = (place: number, changes: Partial<PartValue>) =>
    onChange(parts.map((part, each) => (each === place ? { ...part, ...changes } : part)));
  return (
    <>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
        <div className="rule-part" key={place}>
          {kind === 'GROUP' && (
            <CountInput
              label="重复次数"
              count={part.repeat}
              onChange={(repeat) => change(place, { repeat })}
            />
          )}
          <CountInput label="选择个数" count={part.choose} onChange={(choose) => change(place, { choose })} />
          {apart && (
            <PoolInput
              label={`第 ${place + 1} 部分号码`}
              pool={part.of}
              onChange={(of) => change(place, { of })}
            />
          )}
          {kind === 'TICKET' && (
            <Check
              label="可用胆码"
              checked={part.bankers}
              onChange={(bankers) => change(place, { bankers })}
            />
          )}
          {parts.length > 1 && (
            <Button onClick={() => onChange(parts.filter((_, each) => each !== place))}>移除</Button>
          )}
        </div>
      ))}
      <Button onClick={() => onChange([...parts, anotherPart(parts)])}>增加部分</Button>
    </>
  );
}

interface PlacesProps {
  readonly pools: readonly (readonly string[])[];
  readonly onChange: (pools: readonly (readonly string[])[]) => void;
}

/** The numbers of each place. */
const Places = ({ pools, onChange }: PlacesProps) =>
  pools.map((pool, place) => (
    <PoolInput
      // biome-ignore lint/suspicious/noArrayIndexKey: a pool is its place.
      key={place}
      label={`第 ${place + 1} 位号码`}
      pool={pool}
      onChange={(of) => onChange(pools.map((each, other) => (other === place ? of : each)))}
    />
  ));

type Change = (changes: Partial<SelectionValue>) => void;

function Details({ value, change }: { readonly value: SelectionValue; readonly change: Change }) {
  const { kind, choose, of, pools, distinct, shared, parts } = value;
  if (kind === 'SINGLE') return null;
  const mayBeApart = kind === 'PLACES' || (kind === 'GROUP' && !shared);
  const isApart = kind === 'TICKET' || (mayBeApart && value.apart);
  return (
    <div className="rule-details">
      {kind === 'COMBINATION' && (
        <CountInput label="选择个数" count={choose} onChange={(count) => change({ choose: count })} />
      )}
      {kind === 'PLACES' && (
        <>
          <CountInput label="位数" count={choose} onChange={(count) => change({ choose: count })} />
          <Check label="各位不重复" checked={distinct} onChange={(each) => change({ distinct: each })} />
        </>
      )}
      {kind === 'GROUP' && (
        <Check label="各部分共用一组号码" checked={shared} onChange={(each) => change({ shared: each })} />
      )}
      {(kind === 'GROUP' || kind === 'TICKET') && (
        <Parts kind={kind} apart={isApart} parts={parts} onChange={(all) => change({ parts: all })} />
      )}
      {mayBeApart && (
        <Check
          label={kind === 'PLACES' ? '各位号码不同' : '各部分号码不同'}
          checked={value.apart}
          onChange={(apart) => change(withPoolsApart(value, apart))}
        />
      )}
      {kind === 'PLACES' && isApart && <Places pools={pools} onChange={(all) => change({ pools: all })} />}
      {!isApart && <PoolInput label="可选号码" pool={of} onChange={(pool) => change({ of: pool })} />}
    </div>
  );
}

const isRule = (value: unknown): value is SelectionRule =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** What a player may choose of a play way: its kind, and what that kind asks for. */
export function SelectionInput({ id, value, onChange }: InputProps) {
  const rule = isRule(value) ? value : null;
  const edited = editedSelection(rule);
  const change: Change = (changes) => onChange(sentSelection({ ...edited, ...changes }));
  return (
    <>
      <select
        id={id}
        className="input"
        value={edited.kind}
        onChange={({ target }) => change({ kind: kindOf(target.value) })}
      >
        {Object.entries(selectionKinds).map(([kind, word]) => (
          <option key={kind} value={kind}>
            {word}
          </option>
        ))}
      </select>
      <Details value={edited} change={change} />
    </>
  );
}
