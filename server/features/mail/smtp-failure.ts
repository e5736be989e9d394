import { getSystemErrorName } from 'node:util';

/** A mail that could not be handed over; the message is a Chinese sentence. `permanent`: trying again is no use. */
export class MailFailed extends Error {
  override name = 'MailFailed';
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}

interface SmtpError extends Error {
  errno?: number;
  code?: string;
  response?: string;
  responseCode?: number;
  command?: string;
}

const LONGEST_ANSWER = 200;

/** What the server said, on one line. */
const answerOf = ({ response = '' }: SmtpError): string =>
  response.replace(/\s+/g, ' ').trim().slice(0, LONGEST_ANSWER);

const byCode: Readonly<Record<string, string>> = {
  ETIMEDOUT: '邮件服务器没有及时响应',
  EABORT: '邮件服务器没有及时响应',
  ECONNREFUSED: '邮件服务器拒绝连接',
  ECONNRESET: '邮件服务器中断了连接',
  EHOSTUNREACH: '无法到达邮件服务器',
  ENETUNREACH: '无法到达邮件服务器',
  EPIPE: '邮件服务器中断了连接',
  ECONNECTION: '邮件服务器中断了连接',
  EDNS: '无法解析邮件服务器的地址',
};

/** The library gives every broken socket one code of its own; the system's is in the number. */
const systemCodeOf = ({ errno }: SmtpError): string => (errno ? getSystemErrorName(errno) : '');

const TLS_CODES = /^(ETLS|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/;

/** What an error of the SMTP library amounts to. 4xx answers and broken connections may pass; 5xx answers do not. */
export function mailFailureOf(error: unknown): MailFailed {
  if (error instanceof MailFailed) return error;
  const failure: SmtpError = error instanceof Error ? error : new Error(String(error));
  const { code = '', responseCode = 0 } = failure;
  // The answer to a failed sign-in is left out: a server may repeat what it was sent.
  if (code === 'EAUTH') return new MailFailed('邮件服务器不接受用户名或密码', responseCode >= 500);
  if (TLS_CODES.test(code) || failure.command === 'STARTTLS')
    return new MailFailed('邮件服务器不支持 STARTTLS，或其证书无法验证', false);
  if (responseCode >= 500) return new MailFailed(`邮件服务器拒绝了邮件：${answerOf(failure)}`, true);
  if (responseCode >= 400) return new MailFailed(`邮件服务器暂不接收：${answerOf(failure)}`, false);
  return new MailFailed(byCode[code] ?? byCode[systemCodeOf(failure)] ?? '无法连接邮件服务器', false);
}
