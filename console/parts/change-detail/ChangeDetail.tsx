import { useMemo } from 'react';
import { listChangedNames } from '#contract/change-records.ts';
import {
  type Recorded,
  recordedFields,
  recordedRowFields,
  rowsNamedIn,
  targetOf,
} from '#contract/recorded-fields.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { ChangedRows } from './ChangedRows.tsx';
import { changedLines } from './changed-lines.ts';
import { changedRows } from './changed-rows.ts';
import { type Names, namesOf, Side } from './Side.tsx';
import './change-detail.css';

interface DetailProps {
  readonly record: Recorded & { readonly id: number };
  /** What tells the names of the rows it is about. */
  readonly names?: typeof listChangedNames;
}

/** A change in full: what was sent, and each field before and after. */
export function ChangeDetail({ record, names: named = listChangedNames }: DetailProps) {
  const { lines, tables, enabled } = useMemo(() => {
    const all = changedLines(record, recordedFields(record.call));
    return {
      lines: all,
      tables: changedRows(all, recordedRowFields(record.call)),
      enabled: rowsNamedIn(record).size > 0,
    };
  }, [record]);
  const { data } = useEndpoint(named, { id: record.id }, { enabled, loading: false });
  const names = useMemo(() => namesOf(data ?? []), [data]);
  const target = targetOf(record);
  const row = target && names.get(`${target.noun} ${target.id}`);
  return (
    <>
      {row && (
        <p>
          对象：
          <RowLink noun={row.noun} row={row.find}>
            {row.name}
          </RowLink>
        </p>
      )}
      {lines.length === 0 ? '没有更多内容' : <Lines lines={lines} names={names} />}
      {tables.map((table) => (
        <ChangedRows key={table.label} table={table} names={names} />
      ))}
    </>
  );
}

interface LinesProps {
  readonly lines: ReturnType<typeof changedLines>;
  readonly names: Names;
}

/** Each field as it was sent, before and after. */
function Lines({ lines, names }: LinesProps) {
  return (
    <table className="change-detail">
      <thead>
        <tr>
          <th>字段</th>
          <th>提交内容</th>
          <th>变更前</th>
          <th>变更后</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ label, ref: noun, input, before, after, changed }) => (
          <tr key={label} data-changed={changed || undefined}>
            <th>{label}</th>
            <td>
              <Side told={input} {...{ noun, names }} />
            </td>
            <td>
              <Side told={before} {...{ noun, names }} />
            </td>
            <td>
              <Side told={after} {...{ noun, names }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
