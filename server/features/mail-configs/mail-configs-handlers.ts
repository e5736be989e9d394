import type { Input } from '#contract/endpoint.ts';
import type { addMailConfig, MailConfig } from '#contract/mail-configs.ts';
import { type Context, handlers, ownTransactions } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { demandMailAddress, demandOneLine } from '../mail/mail-address.ts';
import { subjectOf } from '../mail/mail-subject.ts';
import { sendMail } from '../mail/send-mail.ts';
import { MailFailed } from '../mail/smtp-failure.ts';
import { renderMail, variablesIn } from '../mail/template.ts';
import { plainHost } from '../outbound/public-host.ts';
import * as store from './mail-config-store.ts';
import { passwordBinding, senderOf, smtpAccount } from './smtp-account.ts';

const MASK = '******';

type Form = Input<typeof addMailConfig>;

function demandHost(host: string): void {
  demandOneLine('host', '服务器地址', host);
  try {
    plainHost(host);
  } catch {
    throw new Refusal('invalid', { field: 'host', values: { message: '服务器地址不是有效的主机名或 IP' } });
  }
}

/** The fields as they are kept; what was left out is empty. Throws at what could not be part of a mail. */
function checkedFields({ password, ...form }: Form): store.MailConfigFields {
  demandHost(form.host);
  demandOneLine('username', '用户名', form.username);
  demandOneLine('password', '密码', password);
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

async function target({ db }: Pick<Context, 'db'>, id: number) {
  const config = await store.findMailConfig(db, id);
  if (!config) throw new Refusal('recordNotFound');
  return config;
}

/** A password comes with a user name; one left out or masked stays as it is. */
async function keepPassword({ db, vault }: Context, id: number, form: Form): Promise<void> {
  if (!form.username) return store.setMailPassword(db, id, null);
  if (form.password === undefined || form.password === MASK) return;
  await store.setMailPassword(db, id, vault.seal(form.password, passwordBinding(id)));
}

const withoutSecret = <C extends { password: unknown }>({ password: _, ...config }: C) => config;

export const mailConfigsHandlers = handlers({
  listMailConfigs: ({ db }): Promise<MailConfig[]> => store.listMailConfigs(db),

  addMailConfig: async (context, form) => {
    const fields = checkedFields(form);
    await store.lockMailConfigs(context.db);
    const id = await store.insertMailConfig(context.db, fields);
    await keepPassword(context, id, form);
    context.remark({ targetId: id, after: { id, ...fields } });
    return id;
  },

  updateMailConfig: async (context, { id, ...form }) => {
    const before = await target(context, id);
    const fields = checkedFields(form);
    await store.updateMailConfig(context.db, id, fields);
    await keepPassword(context, id, form);
    context.remark({ before: withoutSecret(before), after: { ...withoutSecret(before), ...fields } });
    return id;
  },

  deleteMailConfig: async (context, { id }) => {
    await store.lockMailConfigs(context.db);
    const before = await target(context, id);
    if (before.active) throw new Refusal('mailConfigActive');
    await store.deleteMailConfig(context.db, id);
    context.remark({ before: withoutSecret(before) });
    return true as const;
  },

  activateMailConfig: async (context, { id }) => {
    await store.lockMailConfigs(context.db);
    await target(context, id);
    const before = await store.findActiveMailConfig(context.db);
    await store.activateMailConfig(context.db, id);
    context.remark({ before: { active: before?.id }, after: { active: id } });
    return true as const;
  },

  // The server at the other end may take its ten seconds: no transaction waits for it.
  sendTestMail: ownTransactions(async (context, { id, to }) => {
    const config = await target(context, id);
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
