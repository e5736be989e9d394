import type { Db } from '#server/db/database.ts';
import { isMailAddress } from '#server/mail-address.ts';
import { readParam } from '#server/params/read-param.ts';
import type { Vault } from '#server/vault.ts';
import type { Letter, SmtpAccount } from './send-mail.ts';

/** What a config's password is sealed to. */
export const passwordBinding = (id: number): string => `mail_config:${id}:password`;

interface SealedAccount extends Omit<SmtpAccount, 'password'> {
  id: number;
  password: Buffer | null;
}

/** A config with its password opened, ready to send by. */
export function smtpAccount({ id, password, ...config }: SealedAccount, vault: Vault): SmtpAccount {
  return { ...config, password: password && vault.open(password, passwordBinding(id)) };
}

/** Who mails of a config come from: the parameter, else the account's user name where it is an address. */
export async function senderOf(db: Db, { host, username }: SealedAccount): Promise<Letter['from']> {
  const given = await readParam(db, 'mail.fromAddress');
  const name = await readParam(db, 'mail.fromName');
  const own = username && isMailAddress(username) ? username : `no-reply@${host}`;
  return { name, address: given || own };
}
