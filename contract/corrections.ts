import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, integer, money, text } from './fields.ts';
import { reason, userId } from './named-fields.ts';
import { ref } from './ref.ts';

export const heading = '更正';

const screen = '/main/bet/settlement';

const correction = {
  recordId: id('开奖记录编号'),
  result: text('开奖结果', { max: 500 }),
};
const digest = text('预览', { max: 64 });
const shortfall = money('无法收回');

/** A slip whose outcome changes: what its player got of it and will have got, payout and refund together, and what is owed of the difference. */
export const CorrectedSlip = z.object({
  slipId: ref('slip', '注单编号'),
  userId,
  before: money('更正前'),
  after: money('更正后'),
  shortfall,
});
export type CorrectedSlip = z.infer<typeof CorrectedSlip>;

/**
 * What another result would make of the slips of a phase: how many and whose outcomes change, what is paid and taken back (each slip's
 * difference), and what of it cannot be taken, slip by slip in the order of ids from what their players have available now. `held` are
 * slips that cannot be judged by it. `digest` stands for all that decides it; `items` are the first 200.
 */
export const CorrectionPreview = z.object({
  slips: integer('变动注单', { min: 0 }),
  users: integer('涉及用户', { min: 0 }),
  toPay: money('补派'),
  toTakeBack: money('收回'),
  shortfall,
  held: integer('无法判定的注单', { min: 0 }),
  digest,
  items: z.array(CorrectedSlip).meta({ title: '变动明细' }),
});
export type CorrectionPreview = z.infer<typeof CorrectionPreview>;

/** Works out what correcting a record would move, and moves nothing. The result is one that a source gave. */
export const previewCorrection = query('POST /bet/correction/preview', {
  summary: '预览开奖结果更正',
  body: 'form',
  input: z.object(correction),
  output: CorrectionPreview,
  access: granted(screen),
});

/**
 * Corrects a record together with the settlement that moves what it changes. Refused where `digest` is not what a preview would say now, or
 * while slips of the phase are being settled.
 */
export const applyCorrection = command('POST /bet/correction/apply', {
  summary: '更正开奖结果并重新结算',
  about: '开奖记录',
  body: 'form',
  input: z.object({ ...correction, reason: reason('更正原因'), digest }),
  output: z.literal(true),
  access: granted(screen, 'bet:correction:apply'),
  approval: { when: 'always', by: 'approval:release:bets' },
});
