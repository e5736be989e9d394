import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';
import { inTime } from '#server/in-time.ts';
import { isPublicAddress } from '#server/outbound/public-address.ts';
import { demandPublicHost, type HostAddress, type OutboundRules } from '#server/outbound/public-host.ts';
import { MailFailed, mailFailureOf } from './smtp-failure.ts';
import type { MailContent } from './template.ts';

/** Where and as whom to send. */
export interface SmtpAccount {
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly enableStarttls: boolean;
}

export interface Letter extends MailContent {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  /** The same at each attempt, so that a mail taken twice is seen to be one. */
  readonly messageId?: string;
}

/** The test mail must answer within 12 s; this leaves room for the rest of the call. */
const LIMIT_MS = 10_000;
/** The port whose connections speak TLS from the first byte. */
const IMPLICIT_TLS_PORT = 465;

function transportTo(account: SmtpAccount, { address, host }: HostAddress & { host: string }) {
  const { port, username, password, enableStarttls } = account;
  return createTransport({
    // The address that was checked, and not the name, which may lead elsewhere by now.
    host: address,
    port,
    secure: port === IMPLICIT_TLS_PORT && !enableStarttls,
    requireTLS: enableStarttls,
    ignoreTLS: !enableStarttls,
    // No authority vouches for an internal server; whoever runs this one has named it in SPIDER_ALLOWED_HOSTS.
    tls: { rejectUnauthorized: isPublicAddress(address), ...(isIP(host) ? {} : { servername: host }) },
    ...(username ? { auth: { user: username, pass: password ?? '' } } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function handOver(
  account: SmtpAccount,
  letter: Letter,
  rules: OutboundRules,
  signal: AbortSignal,
): Promise<void> {
  const target = await demandPublicHost(account.host, account.port, rules);
  try {
    const sent = await transportTo(account, target).sendMail({
      ...letter,
      signal,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (sent.rejected.length > 0) throw new MailFailed('邮件服务器拒绝了收件地址', true);
  } catch (error) {
    throw mailFailureOf(error);
  }
}

/**
 * Hands one mail to an SMTP server in time, or breaks off: what is told as not sent does not go out later. STARTTLS is demanded where the
 * account says so and never tried where not; port 465 speaks TLS from the start. Throws `MailFailed`, or the `Refusal` of a forbidden or
 * unknown host.
 */
export const sendMail = (
  account: SmtpAccount,
  letter: Letter,
  rules: OutboundRules,
  limitMs = LIMIT_MS,
): Promise<void> => {
  const late = () => new MailFailed('邮件服务器没有及时响应', false);
  return inTime(handOver(account, letter, rules, AbortSignal.timeout(limitMs)), limitMs, late);
};
