import {
  type Approval,
  pageApprovals,
  rejectApproval,
  releaseApproval,
  withdrawApproval,
} from '#contract/approvals.ts';
import type { GoogleKey } from '#contract/operators.ts';
import { Decision, FormButton, Tag } from '../../kit/form/index.ts';
import { ListScreen, RowLink } from '../../kit/list/index.ts';
import { Absent, openDialog } from '../../kit/overlay/index.ts';
import { GoogleKeyDialog } from '../../parts/google-key/GoogleKeyDialog.tsx';
import { ageOf } from '../../parts/words.ts';
import { ApprovalDetail, ApprovalOutlook } from './ApprovalDetail.tsx';
import { ApprovalNotice } from './ApprovalNotice.tsx';

const tones = {
  PENDING: 'warn',
  RELEASED: 'good',
  REJECTED: 'bad',
  WITHDRAWN: 'idle',
  EXPIRED: 'idle',
} as const;

const isKey = (answer: unknown): answer is GoogleKey =>
  typeof answer === 'object' && answer !== null && 'secret' in answer && 'qrCode' in answer;

/** A key that was reset is shown once, to whoever released that. */
const showKey = (targetId: string | null) => (answer: unknown) => {
  if (isKey(answer)) openDialog(<GoogleKeyDialog userName={`操作员 ${targetId ?? ''}`} googleKey={answer} />);
};

/** Whose money it moves. */
const Player = ({ userId, username }: Approval) =>
  userId === null ? (
    <Absent />
  ) : (
    <RowLink noun="user" row={{ id: userId }}>
      {username ?? String(userId)}
    </RowLink>
  );
const player = { field: 'username', width: 120, least: 90, render: Player } as const;

/** Who decided it, marked where the account it was prepared with had been opened by the same one. */
const Checker = ({ checker, resetByChecker }: Approval) =>
  checker === null ? (
    <Absent />
  ) : (
    <span title={resetByChecker ? `${checker}：提交前重置过提交人的密码或谷歌密钥` : undefined}>
      {resetByChecker && <Tag tone="warn">须留意</Tag>} {checker}
    </span>
  );

/** As wide as what it does is told in. */
const WIDTH = 760;

const actions = (approval: Approval) => {
  const { id, summary, targetId, status, own, releasable, barred } = approval;
  const outlook = () => <ApprovalOutlook approval={approval} />;
  return (
    <Decision waits={status === 'PENDING'}>
      {barred !== null && (
        <span className="approval-barred" title={barred}>
          不能放行
        </span>
      )}
      {releasable && barred === null && (
        <FormButton
          endpoint={releaseApproval}
          fields={['reason']}
          initial={{ id }}
          title={`放行：${summary}`}
          submit="放行"
          width={WIDTH}
          outlook={outlook}
          onDone={showKey(targetId)}
        >
          放行
        </FormButton>
      )}
      {releasable && (
        <FormButton
          endpoint={rejectApproval}
          fields={['reason']}
          initial={{ id }}
          title={`驳回：${summary}`}
          submit="驳回"
          width={WIDTH}
          outlook={outlook}
        >
          驳回
        </FormButton>
      )}
      {own && (
        <FormButton
          endpoint={withdrawApproval}
          fields={['reason']}
          initial={{ id }}
          title={`撤回：${summary}`}
          submit="撤回"
        >
          撤回
        </FormButton>
      )}
    </Decision>
  );
};

/** What waits for a second operator, and what became of what did. A row opens to what it will find and leave. */
export function ApprovalScreen() {
  return (
    <ListScreen
      endpoint={pageApprovals}
      search={['id', 'status', 'maker', 'checker', 'summary', 'createTimeRange']}
      columns={[
        { field: 'id', width: 76 },
        { field: 'status', tones, width: 90 },
        { field: 'summary', least: 100 },
        player,
        'amount',
        'why',
        { field: 'maker', width: 120 },
        'reason',
        'createTime',
        { field: 'age', label: '等待', width: 90, least: 76, render: ({ age }) => ageOf(age) },
        { field: 'checker', width: 120, render: Checker },
        'decideReason',
      ]}
      about={['id', 'summary', player, 'amount', 'why', 'maker', 'reason']}
      expand={(approval: Approval) => <ApprovalDetail approval={approval} />}
      toolbar={<ApprovalNotice />}
      rowActions={actions}
    />
  );
}
