import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { isPassing } from '#server/db/driver/outage.ts';
import { Refusal } from '#server/refusal.ts';
import type { Vault } from '#server/vault.ts';
import { findActiveMailConfig } from './active-config.ts';
import { type ClaimedMail, claimDueMail, markNotSent, markSent } from './outbox-store.ts';
import { contentBinding } from './queue-mail.ts';
import { nextAttempt } from './retry-times.ts';
import { sendMail } from './send-mail.ts';
import { senderOf, smtpAccount } from './smtp-account.ts';
import { MailFailed } from './smtp-failure.ts';
import { MailContent } from './template.ts';

interface DeliveryServices {
  readonly db: Db;
  readonly config: Config;
  readonly vault: Vault;
  readonly clock: () => Date;
}

/** Longer than any attempt takes. */
const CLAIM_SECONDS = 60;
/** What an attempt may take from its claim on: many servers look through a mail before they take it, and ten seconds are not enough for them. */
const ATTEMPT_MS = 45_000;

function contentOf(vault: Vault, id: number, sealed: Buffer): MailContent {
  try {
    return MailContent.parse(JSON.parse(vault.open(sealed, contentBinding(id))));
  } catch {
    throw new MailFailed('邮件内容无法解密：内容已损坏，或写入时的 APP_SECRET 与现在不同', false);
  }
}

/** One attempt over the config that is active at this moment, which ends by then by the monotonic clock: before others may take the mail on. */
async function attempt(
  { db, config, vault }: DeliveryServices,
  mail: ClaimedMail,
  endsAt: number,
): Promise<void> {
  if (!mail.content) throw new MailFailed('邮件内容已不在', true);
  const by = await findActiveMailConfig(db);
  if (!by) throw new MailFailed('没有使用中的邮件配置', false);
  const content = contentOf(vault, mail.id, mail.content);
  const from = await senderOf(db, by);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const token = vault.fingerprint(contentBinding(mail.id)).toString('hex').slice(0, 24);
  const letter = { ...content, from, to: mail.to, messageId: `<${mail.id}.${token}@${domain}>` };
  // A server that stood still in between, as a machine that is paused does, has nothing left.
  const leftMs = Math.max(0, Math.floor(endsAt - performance.now()));
  await sendMail(smtpAccount(by, vault), letter, { allowedHosts: config.spiderAllowedHosts }, leftMs);
}

/**
 * The failure as it is written down. An outage is thrown on; whatever else is wrong, such as a content that cannot be opened,
 * is this mail's, and the next ones go out.
 */
function failureOf(error: unknown): MailFailed {
  if (error instanceof MailFailed) return error;
  if (error instanceof Refusal) return new MailFailed(error.message, error.failure === 'hostForbidden');
  if (isPassing(error)) throw error;
  return new MailFailed(`发送时出错：${error instanceof Error ? error.message : String(error)}`, false);
}

async function deliver(services: DeliveryServices, mail: ClaimedMail, endsAt: number): Promise<void> {
  const { db, clock } = services;
  try {
    await attempt(services, mail, endsAt);
  } catch (error) {
    const failure = failureOf(error);
    const next = failure.permanent ? null : nextAttempt(mail.attempts, clock());
    await markNotSent(db, mail, failure.message, next);
    return;
  }
  await markSent(db, mail.id, clock());
}

/** Takes on a mail that is due, for an attempt that begins now; nothing where none is due. */
export async function takeDueMail(services: DeliveryServices): Promise<(() => Promise<void>) | undefined> {
  const endsAt = performance.now() + ATTEMPT_MS;
  const mail = await claimDueMail(services.db, services.clock(), CLAIM_SECONDS);
  return mail && (() => deliver(services, mail, endsAt));
}

/** Sends what is due, one mail after the other, until the server stops; any number may do so at once. Gives how many were tried. */
export async function deliverDueMails(
  services: DeliveryServices,
  isStopping: () => boolean = () => false,
): Promise<number> {
  for (let tried = 0; ; tried++) {
    const send = isStopping() ? undefined : await takeDueMail(services);
    if (!send) return tried;
    await send();
  }
}
