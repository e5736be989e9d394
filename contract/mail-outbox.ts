import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { by, choice, dateTime, id, integer, paged, pageOf, sorts, text } from './fields.ts';
import { nested } from './list-fields.ts';
import { createTime, createTimeRange, email } from './named-fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '邮件发送记录';

const screen = '/main/system/mail-outbox';

const templateWords = {
  register: '注册',
  login: '登录',
  addReceiveAccount: '添加收款账户',
  changeLoginPassword: '修改登录密码',
  changeSecondPassword: '修改二级密码',
  withdraw: '提现',
} as const;
/** The six mails a config has templates for. */
export const mailTemplate = choice('邮件模板', templateWords);
export type MailTemplate = z.infer<typeof mailTemplate>;

/** What fills a template's `{{name}}` places. */
export const mailVariables = nested(
  '模板变量',
  z.record(text('变量名', { max: 50 }), text('变量值', { min: 0, max: 2000 })),
);

/** What is in the outbox: those six, and what the product writes to operators itself. */
const outboxTemplate = choice('邮件模板', {
  ...templateWords,
  operatorSignIn: '新地址登录提醒',
  anchor: '封存锚点',
});

const status = choice('发送状态', {
  PENDING: '等待发送',
  SENDING: '发送中',
  SENT: '已发送',
  FAILED: '发送失败',
});
const to = email.meta({ ...email.meta(), title: '收件地址' });

/** A mail on its way, and what became of it. What it says is not shown: it may hold codes. */
export const OutboxMail = z.object({
  id: id(),
  template: outboxTemplate,
  to,
  status,
  attempts: integer('尝试次数'),
  lastError: told(text('最近错误')).nullable(),
  createTime,
  nextTime: dateTime('下次尝试时间').nullable(),
  sentTime: dateTime('发送时间').nullable(),
});
export type OutboxMail = z.infer<typeof OutboxMail>;

/** `to` is the address or its beginning, in upper or lower case. */
export const pageOutboxMails = query('POST /mail/outbox/page', {
  summary: '分页查询邮件发送记录',
  body: 'form',
  input: paged({
    ...{ to: by('beginning', to), template: outboxTemplate, status, createTimeRange },
    sort: sorts('id', 'createTime'),
  }),
  output: pageOf(OutboxMail),
  access: granted(screen),
});

/** Takes up a mail that had been given up. */
export const retryOutboxMail = command('GET /mail/outbox/retry/{id}', {
  summary: '重新发送邮件',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});
