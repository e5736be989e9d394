import { Pagination } from 'antd';
import { PAGE_SIZES } from './address.ts';

interface PagerProps {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onTurn: (page: number, size: number) => void;
}

/** Previous, pages, next, jumper, sizes, total: in this order (list.css turns antd's around). */
export function Pager({ page, size, total, onTurn }: PagerProps) {
  return (
    <Pagination
      className="list-pager"
      current={page}
      pageSize={size}
      total={total}
      onChange={onTurn}
      pageSizeOptions={[...PAGE_SIZES]}
      showSizeChanger={{ 'aria-label': '每页条数', showSearch: false }}
      showQuickJumper
      showTotal={(count) => `共 ${count} 条`}
    />
  );
}
