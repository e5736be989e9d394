import type { Input } from '#contract/endpoint.ts';
import { wordOf } from '#contract/fields.ts';
import type { OutboxMail } from '#contract/mail-outbox.ts';
import { mailTemplate } from '#contract/mail-outbox.ts';
import type { sendTemplateMail } from '#contract/platform.ts';
import type { Db } from '#server/db/database.ts';
import { breaksLines, demandMailAddress } from '#server/mail-address.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { findActiveMailConfig } from './active-config.ts';
import { subjectOf } from './mail-subject.ts';
import { insertMail, setContent } from './outbox-store.ts';
import { type MailContent, renderMail, variablesIn } from './template.ts';

/** What a mail's content is sealed to. */
export const contentBinding = (id: number): string => `mail_outbox:${id}:content`;

type MailOrder = Input<typeof sendTemplateMail>;

function demandVariables(template: string, variables: Readonly<Record<string, string>>): void {
  const lacking = variablesIn(template).find((name) => !Object.hasOwn(variables, name));
  if (lacking) throw new Refusal('mailVariableMissing', { field: 'variables', values: { name: lacking } });
  if (Object.values(variables).some(breaksLines))
    throw new Refusal('lineBreakForbidden', { field: 'variables', values: { what: '模板变量' } });
}

/**
 * Queues one of the six mails, written now by the active config's template, in the transaction that `db` is. Throws when
 * there is no such template, when it wants a variable that is not given, or when the address is none.
 */
export async function queueMail(db: Db, vault: Vault, order: MailOrder): Promise<number> {
  const { template, to, variables = {} } = order;
  demandMailAddress('to', to);
  const config = await findActiveMailConfig(db);
  if (!config) throw new Refusal('mailConfigMissing');
  const text = config[`${template}Template`];
  if (!text) throw new Refusal('mailTemplateEmpty', { values: { what: wordOf(mailTemplate, template) } });
  demandVariables(text, variables);
  const content = renderMail(text, variables, subjectOf(template));
  return queueWritten(db, vault, { template, to, content });
}

/** Queues a mail as it is, in the transaction that `db` is. */
export async function queueWritten(
  db: Db,
  vault: Vault,
  { template, to, content }: { template: OutboxMail['template']; to: string; content: MailContent },
): Promise<number> {
  const id = await insertMail(db, { template, to });
  await setContent(db, id, vault.seal(JSON.stringify(content), contentBinding(id)));
  return id;
}
