import { getApprovalState } from '#contract/approvals.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import './approval-notice.css';

/** Says that nothing waits for a second operator at present, or that too few could release it. */
export function ApprovalNotice() {
  const { data } = useEndpoint(getApprovalState, {}, { loading: false });
  if (!data || (data.enabled && data.short.length === 0)) return null;
  return (
    <p className="approval-notice" role="note">
      {data.enabled
        ? `${data.short.join('、')}的操作员不足两名：这些操作不会执行。可在服务器上运行 npm run approvals off 关闭复核。`
        : '复核未开启：重要操作由一名操作员即可完成。开启请把参数 approval.enabled 改为 true，并先让至少两名操作员拥有复核权限。'}
    </p>
  );
}
