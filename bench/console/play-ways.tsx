import { columnsOf } from '#console/kit/list/columns.ts';
import { ListTable } from '#console/kit/list/ListTable.tsx';
import { linesOf } from '#console/kit/list/tree-rows.ts';
import { playWayActions, playWayColumns } from '#console/screens/play-ways/play-way-list.tsx';
import { type PlayWay, pagePlayWays } from '#contract/play-ways.ts';

const columns = columnsOf<PlayWay>(pagePlayWays, playWayColumns);
const names = { gameId: [{ value: 1, label: '北京赛车PK10' }], categoryId: [{ value: 1, label: '两面' }] };
const nothing = () => undefined;

/** The list of the play ways' screen as it is, every play way open. */
export const OurPlayWays = ({ rows }: { rows: readonly PlayWay[] }) => (
  <div style={{ display: 'flex', flexDirection: 'column', height: 700 }}>
    <ListTable
      label="bench"
      columns={columns}
      about={[]}
      lines={linesOf(rows, () => true, { tree: 'odds' })}
      options={names}
      rowActions={playWayActions}
      expand={undefined}
      onToggle={nothing}
    >
      {null}
    </ListTable>
  </div>
);

const line = (cells: readonly string[], buttons: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td>${buttons.map((word) => `<button>${word}</button>`).join(' ')}</td></tr>`;

/** The same lines as one string. */
export const playWaysHtml = (rows: readonly PlayWay[]): string => {
  const body = rows.map(({ name, showRate, margin, odds }) => {
    const top = line(
      ['北京赛车PK10', '两面', name, showRate ?? '', `${odds.length} 个`, `Σ1/赔率 ${margin}`],
      ['新增赔率', '编辑', '删除'],
    );
    return top + odds.map((one) => line(['', '', '', '', one.number, one.odds], ['删除'])).join('');
  });
  return `<table><tbody>${body.join('')}</tbody></table>`;
};
