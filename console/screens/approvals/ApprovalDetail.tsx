import { type Approval, listApprovalNames, pageApprovals } from '#contract/approvals.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Tag } from '../../kit/form/index.ts';
import { ChangeDetail } from '../../parts/change-detail/ChangeDetail.tsx';
import { AccessChanges } from './AccessChanges.tsx';

/** From where it was prepared and decided, and what it will find and leave. */
export function ApprovalDetail({ approval }: { readonly approval: Approval }) {
  const { id, makerAddress, checkerAddress, status, shortened } = approval;
  const { data } = useEndpoint(pageApprovals, { id }, { enabled: shortened });
  const whole = shortened ? data?.data[0] : approval;
  return (
    <>
      <p className="approval-addresses">
        提交地址 {makerAddress}
        {checkerAddress !== null && <>；处理地址 {checkerAddress} </>}
        {status === 'RELEASED' && checkerAddress === makerAddress && <Tag tone="warn">与提交地址相同</Tag>}
      </p>
      {whole && whole.access.length > 0 && <AccessChanges changes={whole.access} />}
      {whole && <ChangeDetail record={whole} names={listApprovalNames} />}
    </>
  );
}
