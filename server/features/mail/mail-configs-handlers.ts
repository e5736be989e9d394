import type { Input } from '#contract/endpoint.ts';
import type { addMailConfig, MailConfig } from '#contract/mail-configs.ts';
import { changed, type Row, removed } from '#server/db/rows.ts';
import { type Context, handlers, ownTransactions } from '#server/http/handler.ts';
import { demandMailAddress, demandOneLine } from '#server/mail-address.ts';
import { plainHost } from '#server/outbound/public-host.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { findActiveMailConfig } from './active-config.ts';
import * as store from './mail-config-store.ts';
import { subjectOf } from './mail-subject.ts';
import { sendMail } from './send-mail.ts';
import { passwordBinding, senderOf, smtpAccount } from './smtp-account.ts';
import { MailFailed } from './smtp-failure.ts';
import { renderMail, variablesIn } from './template.ts';

const MASK = '******';

type Form = Input<typeof addMailConfig>;

function demandHost(host: string): void {
  demandOneLine('host', '服务器地址', host);
  try {
    plainHost(host);
  } catch {
    throw wrong('host', '服务器地址不是有效的主机名或 IP');
  }
}

/** The fields as they are kept; what was left out is empty. Throws at what could not be part of a mail. */
function checkedFields({ password, ...form }: Form): store.MailConfigFields {
  demandHost(form.host);
  demandOneLine('username', '用户名', form.username);
  demandOneLine('password', '密码', password);
  // Kept without a user name it would never be used, and nobody would know why mails are refused.
  if (password !== undefined && password !== MASK && form.username === undefined)
    throw wrong('username', '填写密码时用户名不能为空');
  return {
    ...form,
    username: form.username ?? null,
    registerTemplate: form.registerTemplate ?? null,
    loginTemplate: form.loginTemplate ?? null,
    addReceiveAccountTemplate: form.addReceiveAccountTemplate ?? null,
    changeLoginPasswordTemplate: form.changeLoginPasswordTemplate ?? null,
    changeSecondPasswordTemplate: form.changeSecondPasswordTemplate ?? null,
    withdrawTemplate: form.withdrawTemplate ?? null,
  };
}

/** A password comes with a user name; one left out or masked stays as it is. */
function passwordOf(
  { vault }: Context,
  id: number,
  { username, password }: Form,
): { password?: Buffer | null } {
  if (!username) return { password: null };
  if (password === undefined || password === MASK) return {};
  return { password: vault.seal(password, passwordBinding(id)) };
}

const masked = (config: Row<'mail_config'>) => ({ ...config, password: config.password && MASK });

export const mailConfigsHandlers = handlers({
  listMailConfigs: ({ db }): Promise<MailConfig[]> => store.listMailConfigs(db),

  addMailConfig: async (context, form) => {
    const fields = checkedFields(form);
    await store.lockMailConfigs(context.db);
    const id = await store.insertMailConfig(context.db, fields);
    // It is sealed to the row's id.
    const sealed = passwordOf(context, id, form);
    if (sealed.password) await changed(context.db, 'mail_config', { id }, sealed);
    return id;
  },

  updateMailConfig: async (context, { id, version, ...given }) => {
    const change = (before: Row<'mail_config'>) => {
      const form = { ...given, enableStarttls: given.enableStarttls ?? before.enableStarttls };
      return { ...checkedFields(form), ...passwordOf(context, id, form) };
    };
    await changed(context.db, 'mail_config', { id, version }, change, masked);
    return id;
  },

  deleteMailConfig: async ({ db }, { id }) => {
    await store.lockMailConfigs(db);
    await removed(db, 'mail_config', id, ({ active }) => {
      if (active) throw new Refusal('mailConfigActive');
    });
    return true as const;
  },

  activateMailConfig: async ({ db, remark, say }, { id }) => {
    await store.lockMailConfigs(db);
    const before = await findActiveMailConfig(db);
    const { host } = await store.activateMailConfig(db, id);
    // Two rows changed, and one thing.
    remark({ before: { active: before?.id }, after: { active: id } });
    say(`已启用邮件配置 ${host}`);
    return true as const;
  },

  // The server at the other end may take its ten seconds: no transaction waits for it.
  sendTestMail: ownTransactions(async (context, { id, to }) => {
    const config = await store.findMailConfig(context.db, id);
    if (!config) throw new Refusal('recordNotFound');
    demandMailAddress('to', to);
    const letter = {
      ...renderMail('这是一封测试邮件。\n收到它，说明邮件配置可以使用。', {}, '测试邮件'),
      from: await senderOf(context.db, config),
      to,
    };
    const rules = { allowedHosts: context.config.spiderAllowedHosts };
    try {
      await sendMail(smtpAccount(config, context.vault), letter, rules);
    } catch (error) {
      if (!(error instanceof MailFailed)) throw error;
      throw new Refusal('mailFailed', { values: { reason: error.message } });
    }
    context.say('测试邮件已发出');
    return true as const;
  }),

  previewMail: (_context, { template, content, variables = {} }) => {
    const names = variablesIn(content);
    const samples = Object.fromEntries(names.map((name) => [name, variables[name] ?? `【${name}】`]));
    return {
      ...renderMail(content, samples, subjectOf(template)),
      variables: names,
    };
  },
});
