import type { ReactNode } from 'react';
import type { NounName } from '#contract/ref.ts';
import { told } from '../call/told.ts';
import { valueAt } from '../form/field.ts';
import type { Option } from '../form/options.ts';
import { Tag } from '../form/Tag.tsx';
import { toneOf } from '../form/tones.ts';
import { Absent } from '../overlay/Absent.tsx';
import type { Column } from './columns.ts';
import { Money } from './Money.tsx';
import { NameLink, RowLink } from './RowLink.tsx';

/** A row that a cell refers to: by its name where that was read, else by its number. */
function referred(noun: NounName, value: unknown, options: readonly Option[] | undefined): ReactNode {
  const option = options?.find((each) => each.value === value);
  return (
    <RowLink noun={noun} row={option?.row ?? { id: value }}>
      {option?.label ?? String(value)}
    </RowLink>
  );
}

/** A cell's content by its field's kind. `options` turn an id into the name an operator knows. */
export function cellContent<R extends object>(
  column: Column<R>,
  row: R,
  options: readonly Option[] | undefined,
): ReactNode {
  if (column.blank?.(row)) return null;
  if (column.render) return column.render(row);
  const { field } = column;
  if (!field) return null;
  const value = valueAt(row, field.name);
  // A row below of another kind has no such field at all: that is no missing value.
  if (value === undefined) return null;
  if (value === null || value === '') return <Absent />;
  if (field.ref && !field.many) return referred(field.ref.noun, value, options);
  if (field.names) {
    const { noun, id } = field.names;
    return (
      <NameLink noun={noun} row={{ id: valueAt(row, id) }}>
        {String(value)}
      </NameLink>
    );
  }
  if (column.options) return options?.find((option) => option.value === value)?.label ?? String(value);
  const code = String(value);
  const word = field.words?.[code];
  if (word !== undefined && field.words) {
    return <Tag tone={column.tones?.[code] ?? toneOf(code, field.words)}>{word}</Tag>;
  }
  if (field.kind === 'money') return <Money value={code} />;
  if (field.seeded !== undefined) return told(code, field.seeded);
  return field.kind === 'secret' ? '******' : code;
}
