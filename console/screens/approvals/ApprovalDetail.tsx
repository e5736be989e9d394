import { type Approval, listApprovalNames } from '#contract/approvals.ts';
import { Tag } from '../../kit/form/index.ts';
import { ChangeDetail } from '../../parts/change-detail/ChangeDetail.tsx';
import { AccessChanges } from './AccessChanges.tsx';

/** From where it was prepared and decided, and what it will find and leave. */
export function ApprovalDetail({ approval }: { readonly approval: Approval }) {
  const { makerAddress, checkerAddress, status, access } = approval;
  return (
    <>
      <p className="approval-addresses">
        提交地址 {makerAddress}
        {checkerAddress !== null && <>；处理地址 {checkerAddress} </>}
        {status === 'RELEASED' && checkerAddress === makerAddress && <Tag tone="warn">与提交地址相同</Tag>}
      </p>
      {access.length > 0 && <AccessChanges changes={access} />}
      <ChangeDetail record={approval} names={listApprovalNames} />
    </>
  );
}
