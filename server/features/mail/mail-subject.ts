import type { MailTemplate } from '#contract/mail-outbox.ts';

const subjects: Readonly<Record<MailTemplate, string>> = {
  register: '注册验证',
  login: '登录验证',
  addReceiveAccount: '添加收款账户验证',
  changeLoginPassword: '修改登录密码验证',
  changeSecondPassword: '修改二级密码验证',
  withdraw: '提现验证',
};

/** The subject of a mail whose template names none. */
export const subjectOf = (template: MailTemplate): string => subjects[template];
