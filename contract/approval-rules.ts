/** The rules by which a call may need a second operator; `server/features/approvals/rules.ts` says what each of them looks at. */
export const approvalRules = [
  'always',
  'moneyAbove',
  'withdrawalAbove',
  'returnAboveOne',
  'rightsOfOthers',
  'releasersAccount',
  'approvalParameters',
  'slipsOfRecord',
  'slipVoided',
  'rebateAboveMargin',
  'drawSource',
  'lessAgreement',
] as const;

/** The name of a rule. */
export type ApprovalRuleName = (typeof approvalRules)[number];
