import type { z } from 'zod';
import { authState } from '#contract/chat-sessions.ts';
import { wordOf } from '#contract/fields.ts';
import { Refusal } from '#server/refusal.ts';
import { numberOf, partOf, type TdObject, textOf } from './td-library.ts';

export type AuthState = z.output<typeof authState>;

/** TDLib's state name with its first letter in upper case; nothing for one this program does not know. */
export function authStateOf(tdName: string): AuthState | undefined {
  const result = authState.safeParse(tdName.charAt(0).toUpperCase() + tdName.slice(1));
  return result.success ? result.data : undefined;
}

const codeWays: Readonly<Record<string, string>> = {
  authenticationCodeTypeTelegramMessage: '验证码已发到该账号已登录的 Telegram 应用里',
  authenticationCodeTypeSms: '验证码已用短信发送',
  authenticationCodeTypeSmsWord: '验证码（一个单词）已用短信发送',
  authenticationCodeTypeSmsPhrase: '验证码（一句话）已用短信发送',
  authenticationCodeTypeCall: '验证码将由来电播报',
  authenticationCodeTypeFlashCall: '将有一通来电，来电号码即为验证码',
  authenticationCodeTypeMissedCall: '将有一通未接来电，来电号码的末几位即为验证码',
  authenticationCodeTypeFragment: '验证码已发到 fragment.com',
};

function codeSentence(state: TdObject): string {
  const info = partOf(state, 'code_info');
  const type = info && partOf(info, 'type');
  const way = (type && codeWays[type._]) ?? '验证码已发送';
  const wait = info ? numberOf(info, 'timeout') : 0;
  if (!info || !partOf(info, 'next_type')) return way;
  return wait > 0 ? `${way}，${wait} 秒后可重新发送` : `${way}，可重新发送`;
}

const emailOf = (state: TdObject): string => {
  const info = partOf(state, 'code_info');
  return info ? textOf(info, 'email_address_pattern') : '';
};

/** What a state waits for, in a sentence for the operator; null where the step's own form says it. Never holds a secret. */
export function detailOf(state: TdObject): string | null {
  switch (authStateOf(state._)) {
    case 'AuthorizationStateWaitCode':
      return codeSentence(state);
    case 'AuthorizationStateWaitEmailAddress':
      return 'Telegram 要求先为该账号设置登录邮箱，请在手机上的 Telegram 里完成后，重新提交手机号';
    case 'AuthorizationStateWaitEmailCode':
      return `验证码已发到邮箱 ${emailOf(state)}`.trim();
    case 'AuthorizationStateWaitOtherDeviceConfirmation':
      return '请在已登录该账号的其他设备上确认这次登录';
    case 'AuthorizationStateWaitRegistration':
      return '该手机号尚未注册 Telegram，请先在手机上注册，或更换手机号';
    case 'AuthorizationStateWaitPremiumPurchase':
      return 'Telegram 要求该号码先开通 Telegram Premium 才能登录，请在手机上完成，或更换手机号';
    case 'AuthorizationStateLoggingOut':
      return '正在退出登录';
    case 'AuthorizationStateClosed':
      return '登录已结束，点击“去登录”重新登录';
    default:
      return null;
  }
}

type Step = 'phone' | 'code' | 'password' | 'resend';

const acceptedIn: Readonly<Record<Step, { what: string; states: readonly AuthState[] }>> = {
  phone: {
    what: '手机号',
    states: [
      'AuthorizationStateWaitPhoneNumber',
      'AuthorizationStateWaitPremiumPurchase',
      'AuthorizationStateWaitEmailAddress',
      'AuthorizationStateWaitEmailCode',
      'AuthorizationStateWaitCode',
      'AuthorizationStateWaitOtherDeviceConfirmation',
      'AuthorizationStateWaitRegistration',
      'AuthorizationStateWaitPassword',
    ],
  },
  code: { what: '验证码', states: ['AuthorizationStateWaitCode', 'AuthorizationStateWaitEmailCode'] },
  resend: { what: '重新发送', states: ['AuthorizationStateWaitCode', 'AuthorizationStateWaitEmailCode'] },
  password: { what: '二级密码', states: ['AuthorizationStateWaitPassword'] },
};

/** Throws `chatStepMismatch` when the state does not wait for this step. */
export function demandStep(step: Step, state: AuthState): void {
  const { what, states } = acceptedIn[step];
  if (states.includes(state)) return;
  throw new Refusal('chatStepMismatch', { values: { state: wordOf(authState, state), what } });
}

/** Whether an account is signed in or on its way there, so that ending it means a logout at Telegram. */
export const isSignedIn = (state: AuthState): boolean =>
  state === 'AuthorizationStateReady' || state === 'AuthorizationStateLoggingOut';
