import { type Approval, listApprovalNames, pageApprovals, RESET_TOLD_DAYS } from '#contract/approvals.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Tag } from '../../kit/form/index.ts';
import { ChangeDetail } from '../../parts/change-detail/ChangeDetail.tsx';
import { AccessChanges } from './AccessChanges.tsx';
import './approval-outlook.css';

interface DetailProps {
  readonly approval: Approval;
}

/** From where it was prepared and decided, until when it can be, and what it will find and leave. */
export function ApprovalDetail({ approval }: DetailProps) {
  const { id, makerAddress, checkerAddress, expireTime, status, shortened, barred, makerReset } = approval;
  const { data } = useEndpoint(pageApprovals, { id }, { enabled: shortened });
  const whole = shortened ? data?.data[0] : approval;
  return (
    <>
      <p className="approval-addresses">
        提交地址 {makerAddress}
        {status === 'PENDING' && `；${expireTime} 过期`}
        {checkerAddress !== null && <>；处理地址 {checkerAddress} </>}
        {status === 'RELEASED' && checkerAddress === makerAddress && <Tag tone="warn">与提交地址相同</Tag>}
      </p>
      {makerReset && (
        <p>
          <Tag tone="warn">{`提交前 ${RESET_TOLD_DAYS} 天内`}</Tag> {makerReset}
        </p>
      )}
      {barred !== null && <p className="approval-barred">{barred}</p>}
      {whole && whole.access.length > 0 && <AccessChanges changes={whole.access} />}
      {whole && <ChangeDetail record={whole} names={listApprovalNames} />}
    </>
  );
}

/** The same where it is decided, under what is asked. */
export const ApprovalOutlook = (props: DetailProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
  <section className="approval-outlook" aria-label="复核内容" tabIndex={0}>
    <ApprovalDetail {...props} />
  </section>
);
