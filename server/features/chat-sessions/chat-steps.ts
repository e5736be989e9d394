import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatAction } from '#server/chat-action.ts';
import { Refusal } from '#server/refusal.ts';
import { demandStep, isSignedIn } from './auth-states.ts';
import type { ChatClient } from './chat-client.ts';
import type { TdObject } from './td-library.ts';

const ANSWER_MS = 8_000;
const LOGOUT_MS = 5_000;
const END_MS = 2_000;

/** For a login that was given up here and may still stand at Telegram. */
export const NOT_SIGNED_OUT = '已删除；但没能通知 Telegram 退出登录，请在手机的设备列表里移除该设备';

/** Resolves when the client is at its end or the time is up; tells which. */
export async function isOver(client: ChatClient, waitMs: number): Promise<boolean> {
  const wait = new AbortController();
  const late = sleep(waitMs, false, { signal: wait.signal }).catch(() => false);
  const over = await Promise.race([client.closed.then(() => true), late]);
  wait.abort();
  return over;
}

const codeRequest = (client: ChatClient, code: string): TdObject =>
  client.state === 'AuthorizationStateWaitEmailCode'
    ? { _: 'checkAuthenticationEmailCode', code: { _: 'emailAddressAuthenticationCode', code } }
    : { _: 'checkAuthenticationCode', code };

async function logout(client: ChatClient): Promise<void> {
  const gone = await client
    .ask({ _: 'logOut' }, { waitMs: LOGOUT_MS })
    .catch((error: unknown) => {
      // It was under way already, or waits for the network: what counts is whether the client comes to its end.
      if (!(error instanceof Refusal)) throw error;
    })
    .then(() => isOver(client, END_MS));
  if (!gone) throw new Refusal('chatLogoutOffline');
}

/** Ends the client for good: signs the account out if that can be done now, else forgets it here. */
async function end(client: ChatClient): Promise<string | null> {
  const signedOut = isSignedIn(client.state)
    ? await logout(client).then(
        () => true,
        () => false,
      )
    : true;
  if (!(await isOver(client, 0))) {
    await client.ask({ _: 'destroy' }, { waitMs: END_MS }).catch(() => undefined);
    await isOver(client, END_MS);
  }
  return signedOut ? null : NOT_SIGNED_OUT;
}

/** Does what the operator asked of a running client. Gives a sentence to say, or null for the usual one. */
export async function takeStep(
  client: ChatClient,
  action: Exclude<ChatAction, { kind: 'activate' }>,
): Promise<string | null> {
  const ask = (request: TdObject, field?: string) =>
    client.ask(request, { waitMs: ANSWER_MS, ...(field ? { field } : {}) });
  switch (action.kind) {
    case 'phone':
      demandStep('phone', client.state);
      await ask({ _: 'setAuthenticationPhoneNumber', phone_number: action.phone }, 'phone');
      return null;
    case 'code':
      demandStep('code', client.state);
      await ask(codeRequest(client, action.code), 'code');
      return null;
    case 'password':
      demandStep('password', client.state);
      await ask({ _: 'checkAuthenticationPassword', password: action.password }, 'password');
      return null;
    case 'resend':
      demandStep('resend', client.state);
      await ask({ _: 'resendAuthenticationCode', reason: { _: 'resendCodeReasonUserRequest' } });
      return '验证码已重新发送';
    case 'logout':
      await logout(client);
      return '已退出登录';
    case 'end':
      return end(client);
  }
}
