import type { Context } from '#server/http/handler.ts';
import { findActiveMailConfig } from '../mail/active-config.ts';
import { queueWritten } from '../mail/queue-mail.ts';
import { renderMail } from '../mail/template.ts';
import { findEmail, rememberAddress } from './operator-address-store.ts';

const letter = `主题：您的后台账号从新地址登录
您的后台账号 {{userName}} 于 {{time}} 从新地址登录：

地址：{{address}}
浏览器：{{agent}}

如果不是您本人，请立即联系管理员停用账号，并修改密码。`;

/** The platform's wall time of a moment. */
const wallTime = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);

/**
 * Notes where a sign-in came from. From a new address the operator is told at the next look at the console, and by mail where mail is set
 * up and they have an address of it. True when it was new.
 */
export async function tellNewAddress(
  { db, vault, config, now, address, agent }: Context,
  { id, userName }: { id: number; userName: string },
): Promise<boolean> {
  if (!(await rememberAddress(db, id, { address, agent }))) return false;
  const to = await findEmail(db, id);
  if (to !== null && (await findActiveMailConfig(db))) {
    const time = wallTime(now, config.timeZone);
    const content = renderMail(letter, { userName, time, address, agent }, '');
    await queueWritten(db, vault, { template: 'operatorSignIn', to, content });
  }
  return true;
}
