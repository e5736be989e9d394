import type { ChatSession } from '#contract/chat-sessions.ts';

/** Where a login stands: the four of the product, over, or something the operator must do elsewhere. */
export type Step = 'phone' | 'code' | 'password' | 'ready' | 'closed' | 'elsewhere';

/** The steps as they are shown, in order. */
export const steps: readonly { step: Step; title: string }[] = [
  { step: 'phone', title: '手机号' },
  { step: 'code', title: '验证码' },
  { step: 'password', title: '二级密码' },
  { step: 'ready', title: '完成' },
];

/** The step a state of TDLib belongs to. */
export function stepOf(state: ChatSession['authState']): Step {
  switch (state) {
    case 'AuthorizationStateWaitPhoneNumber':
      return 'phone';
    case 'AuthorizationStateWaitCode':
    case 'AuthorizationStateWaitEmailCode':
      return 'code';
    case 'AuthorizationStateWaitPassword':
      return 'password';
    case 'AuthorizationStateReady':
      return 'ready';
    case 'AuthorizationStateClosed':
      return 'closed';
    default:
      return 'elsewhere';
  }
}

/** Whether nothing is left to be done, or asked for. */
export const isOver = (step: Step): boolean => step === 'ready' || step === 'closed';

/** What is asked for now: the number anew where it is to be changed, unless the login has ended meanwhile, here or in another window. */
export function askedStep(state: ChatSession['authState'], changing: boolean): Step {
  const step = stepOf(state);
  return changing && !isOver(step) ? 'phone' : step;
}

/** What an operator reads where there is nothing to fill in. */
export const sentenceOf = ({ detail, authState }: ChatSession): string =>
  detail ?? (authState === 'AuthorizationStateClosing' ? '正在关闭，请稍候' : '正在启动，请稍候');
