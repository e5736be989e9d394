import type { Sums } from '#contract/endpoint.ts';
import { platformZone } from '../call/platform-zone.ts';
import type { Column } from './columns.ts';
import { ListSums } from './ListSums.tsx';
import { Pager } from './Pager.tsx';

interface ListFootProps {
  readonly sums: Sums | undefined;
  /** Nothing while they are not known. */
  readonly rows: readonly object[] | undefined;
  readonly filters: object;
  readonly columns: readonly Column<never>[];
  /** What the rows are of. */
  readonly of: string;
  /** Where there are pages. */
  readonly paging:
    | {
        readonly page: number;
        readonly size: number;
        readonly total: number | null;
        readonly onTurn: (page: number, size: number) => void;
      }
    | undefined;
}

/** Below a list: what it comes to, its pages, and whose clock its times are by. */
export function ListFoot({ sums, rows, filters, columns, paging, of }: ListFootProps) {
  const hasMoments = columns.some(({ field }) => field?.kind === 'dateTime');
  return (
    <>
      {sums && <ListSums {...{ sums, rows, filters }} />}
      {(paging || hasMoments) && (
        <div className="list-foot">
          {hasMoments && <span className="list-zone">时间按 {platformZone()}</span>}
          {paging && <Pager {...paging} of={of} />}
        </div>
      )}
      {!paging && (
        <span className="for-readers" role="status">
          {rows && <span key={of}>共 {rows.length} 条</span>}
        </span>
      )}
    </>
  );
}
