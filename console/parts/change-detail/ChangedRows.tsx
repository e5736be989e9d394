import { useState } from 'react';
import { DetailTable } from '../../kit/list/index.ts';
import type { RowsTable } from './changed-rows.ts';
import { More, type Names, Side, STEP } from './Side.tsx';

interface RowsProps {
  readonly table: RowsTable;
  readonly names: Names;
}

/** Rows that a change lists, some hundred at a time; what differs of a row is told before and after. */
export function ChangedRows({ table: { label, columns, rows }, names }: RowsProps) {
  const [shown, setShown] = useState(STEP);
  const hasKinds = rows[0]?.kind !== undefined;
  const headings = [...(hasKinds ? ['变更'] : []), ...columns.map((column) => column.label)];
  return (
    <section aria-label={label}>
      <p>{`${label}，共 ${rows.length} 行`}</p>
      <DetailTable label={label} headings={headings}>
        {rows.slice(0, shown).map(({ key, kind, cells }) => (
          <tr key={key}>
            {kind && <td>{kind}</td>}
            {cells.map(({ before, after }, place) => {
              const { name = '', ref: noun } = columns[place] ?? {};
              return (
                <td key={name}>
                  {before && (
                    <>
                      <Side told={before} {...{ noun, names }} /> →{' '}
                    </>
                  )}
                  <Side told={after} {...{ noun, names }} />
                </td>
              );
            })}
          </tr>
        ))}
      </DetailTable>
      <More left={rows.length - shown} onMore={() => setShown(shown + STEP)} />
    </section>
  );
}
