import type { ApprovalRuleName } from '#contract/approval-rules.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import { approvalParameters, releasersAccount, rightsOfOthers } from './access-rules.ts';
import { slipsOfRecord, slipVoided } from './bet-rules.ts';
import { drawSource, lessAgreement } from './draw-rules.ts';
import { moneyAbove, withdrawalAbove } from './money-rules.ts';
import { returnAboveOne } from './odds-rules.ts';
import { rebateAboveMargin } from './rebate-rules.ts';

/** What each rule that a call may name in its declaration looks at. */
export const approvalRules: { readonly [N in ApprovalRuleName]: ApprovalRule } = {
  always: async () => '此类操作一律须复核',
  moneyAbove,
  withdrawalAbove,
  returnAboveOne,
  rightsOfOthers,
  releasersAccount,
  approvalParameters,
  slipsOfRecord,
  slipVoided,
  rebateAboveMargin,
  drawSource,
  lessAgreement,
};
