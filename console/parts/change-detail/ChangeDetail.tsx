import { Fragment } from 'react';
import { listChangedNames, type NamedRow } from '#contract/change-records.ts';
import { idsIn, type Recorded, recordedFields, rowsNamedIn, targetOf } from '#contract/recorded-fields.ts';
import type { NounName } from '#contract/ref.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { changedLines, type Told } from './changed-lines.ts';
import './change-detail.css';

interface SideProps {
  readonly told: Told;
  readonly noun: NounName | undefined;
  readonly names: readonly NamedRow[];
}

/** What stood in a field: rows by the names they have now, or by their numbers where they are gone. */
function Side({ told, noun, names }: SideProps) {
  if (noun === undefined || told.value === null) return told.text;
  const ids = idsIn(told.value);
  if (ids.length === 0) return told.text;
  return ids.map((id, place) => {
    const row = names.find((each) => each.noun === noun && each.id === id);
    return (
      <Fragment key={id}>
        {place > 0 && '、'}
        {row ? (
          <RowLink noun={noun} row={row.find}>
            {row.name}
          </RowLink>
        ) : (
          id
        )}
      </Fragment>
    );
  });
}

interface DetailProps {
  readonly record: Recorded & { readonly id: number };
  /** What tells the names of the rows it is about. */
  readonly names?: typeof listChangedNames;
}

/** A change in full: what was sent, and each field before and after. */
export function ChangeDetail({ record, names: named = listChangedNames }: DetailProps) {
  const lines = changedLines(record, recordedFields(record.call));
  const enabled = rowsNamedIn(record).size > 0;
  const { data: names = [] } = useEndpoint(named, { id: record.id }, { enabled, loading: false });
  const target = targetOf(record);
  const row = names.find(({ noun, id }) => noun === target?.noun && id === target.id);
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
    </>
  );
}

interface LinesProps {
  readonly lines: ReturnType<typeof changedLines>;
  readonly names: readonly NamedRow[];
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
