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
export function ListFoot({ sums, rows, filters, columns, paging }: ListFootProps) {
  const hasMoments = columns.some(({ field }) => field?.kind === 'dateTime');
  if (!sums && !paging && !hasMoments) return null;
  return (
    <>
      {sums && <ListSums {...{ sums, rows, filters }} />}
      <div className="list-foot">
        {hasMoments && <span className="list-zone">时间按 {platformZone()}</span>}
        {paging && <Pager {...paging} />}
      </div>
    </>
  );
}
