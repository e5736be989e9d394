import { headingOf } from '#contract/about.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { useEndpoint } from '../call/use-endpoint.ts';
import { useMay, useMayOpen } from '../call/use-menus.ts';
import { ScreenLink } from '../overlay/ScreenLink.tsx';

const RECORD = '/main/system/change-record';
const MOST = 10;

/** What was done to a row last and by whom; nothing for whoever may not read the change record. */
export function RowHistory({ endpoint, id }: { readonly endpoint: AnyEndpoint; readonly id: string }) {
  const enabled = [useMay(pageChangeRecords), useMayOpen(RECORD)].every(Boolean);
  const search = { targetId: id, noun: headingOf(endpoint) ?? '' };
  const { data } = useEndpoint(pageChangeRecords, { ...search, pageSize: MOST }, { enabled, loading: false });
  if (!enabled) return null;
  return (
    <section className="row-history" aria-label="操作历史">
      <h2>操作历史</h2>
      {data?.data.length === 0 && <p>没有记录</p>}
      <ol>
        {data?.data.map((change) => (
          <li key={change.id}>
            <time>{change.createTime}</time> {change.userName} {change.summary}
            {change.outcome !== 'SUCCESS' && `（${change.msg ?? '未成功'}）`}
          </li>
        ))}
      </ol>
      {data && data.totalCount > 0 && (
        <ScreenLink to={RECORD} search={search}>
          查看变更内容
        </ScreenLink>
      )}
    </section>
  );
}
