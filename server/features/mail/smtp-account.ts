import type { Db } from '#server/db/database.ts';
import { isMailAddress } from '#server/mail-address.ts';
import { readParam } from '#server/params/read-param.ts';
import type { Vault } from '#server/vault.ts';
import type { Letter, SmtpAccount } from './send-mail.ts';
import { MailFailed } from './smtp-failure.ts';

/** What a config's password is sealed to. */
export const passwordBinding = (id: number): string => `mail_config:${id}:password`;

interface SealedAccount extends Omit<SmtpAccount, 'password'> {
  id: number;
  password: Buffer | null;
}

function openPassword(vault: Vault, id: number, password: Buffer): string {
  try {
    return vault.open(password, passwordBinding(id));
  } catch {
    // It may open again: with the secret that sealed it, or once it was entered anew.
    throw new MailFailed(
      '邮件配置的密码无法解密（保存它时的 APP_SECRET 与现在不同），请在邮件配置中重新填写密码',
      false,
    );
  }
}

/** A config with its password opened, ready to send by. Throws `MailFailed` when it was sealed under another secret. */
export function smtpAccount({ id, password, ...config }: SealedAccount, vault: Vault): SmtpAccount {
  return { ...config, password: password && openPassword(vault, id, password) };
}

/** Who mails of a config come from: the parameter, else the account's user name where it is an address. */
export async function senderOf(db: Db, { host, username }: SealedAccount): Promise<Letter['from']> {
  const given = await readParam(db, 'mail.fromAddress');
  const name = await readParam(db, 'mail.fromName');
  const own = username && isMailAddress(username) ? username : `no-reply@${host}`;
  return { name, address: given || own };
}
