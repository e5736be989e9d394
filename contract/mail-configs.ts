import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import {
  filters,
  flag,
  id,
  integer,
  longText,
  nullables,
  optional,
  optionals,
  secret,
  sorts,
  text,
} from './fields.ts';
import { mailTemplate, mailVariables } from './mail-outbox.ts';
import { email, seenVersion, version } from './named-fields.ts';

/** What its calls stand under in the API document. */
export const heading = '邮件配置';

const screen = '/main/system/mail-config';
const host = text('服务器地址');
const port = integer('端口', { min: 1, max: 65_535 });
const username = text('用户名');
const enableStarttls = flag('启用 STARTTLS');

/** The six mails; `{{code}}` and its like are filled in when one is sent. */
const templates = {
  registerTemplate: longText('注册模板'),
  loginTemplate: longText('登录模板'),
  addReceiveAccountTemplate: longText('添加收款账户模板'),
  changeLoginPasswordTemplate: longText('修改登录密码模板'),
  changeSecondPasswordTemplate: longText('修改二级密码模板'),
  withdrawTemplate: longText('提现模板'),
};

/** An SMTP server and its mails. `password` is `******`, or null where none is set. Exactly one config is active. */
export const MailConfig = z.object({
  id: id(),
  version,
  host,
  port,
  username: username.nullable(),
  password: text('密码').nullable(),
  enableStarttls,
  active: flag('使用状态', ['使用中', '未使用']),
  ...nullables(templates),
});
export type MailConfig = z.infer<typeof MailConfig>;

const fields = {
  host,
  port,
  username: optional(username),
  password: optional(secret('密码')),
  enableStarttls: enableStarttls.default(false),
  ...optionals(templates),
};

export const listMailConfigs = query('POST /mail/config/list', {
  summary: '查询邮件配置',
  body: 'form',
  input: filters({ sort: sorts('host', 'port', 'username') }),
  output: z.array(MailConfig),
  access: granted(screen),
});

export const addMailConfig = command('POST /mail/config/add', {
  effect: 'add',
  summary: '新增邮件配置',
  body: 'json',
  input: z.object(fields),
  output: id(),
  access: granted(screen),
});

/** STARTTLS left out, and a password left out or sent back as `******`, stay as they are; a template left out is emptied. */
export const updateMailConfig = command('POST /mail/config/update', {
  effect: 'update',
  summary: '编辑邮件配置',
  body: 'json',
  input: z.object({
    ...{ id: id(), version: seenVersion, ...fields },
    enableStarttls: optional(enableStarttls),
  }),
  output: id(),
  access: granted(screen),
  edits: MailConfig,
});

export const deleteMailConfig = command('GET /mail/config/deleteById/{id}', {
  effect: 'delete',
  summary: '删除邮件配置',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});

export const activateMailConfig = command('GET /mail/config/active/{id}', {
  summary: '启用邮件配置',
  body: 'none',
  input: z.object({ id: id() }),
  output: z.literal(true),
  access: granted(screen),
});

/** Sends one mail through that config, active or not, and answers once the server took or refused it. */
export const sendTestMail = command('POST /mail/config/sendTest', {
  summary: '发送测试邮件',
  body: 'json',
  input: z.object({ id: id(), to: email }),
  output: z.literal(true),
  access: granted(screen),
});

/** What a mail will look like: variables not given are filled with their names. */
export const previewMail = query('POST /mail/config/preview', {
  summary: '预览邮件模板',
  body: 'json',
  input: z.object({
    template: mailTemplate,
    content: longText('模板内容'),
    variables: optional(mailVariables),
  }),
  output: z.object({
    subject: text('主题', { min: 0, max: 1000 }),
    text: longText('正文', { min: 0, max: 1_000_000 }),
    html: longText('网页正文', { min: 0, max: 1_000_000 }),
    variables: z.array(text('变量名', { max: 50 })).meta({ title: '变量' }),
  }),
  access: granted(screen),
});
