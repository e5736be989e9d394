import { describe, expect, it } from 'vitest';
import { authState, type ChatSession } from '#contract/chat-sessions.ts';
import { askedStep, sentenceOf, stepOf } from './steps.ts';

const sessionIn = (state: ChatSession['authState']): ChatSession => ({
  id: 1,
  userId: 1,
  phone: null,
  clientId: null,
  lastActivityTime: null,
  detail: null,
  authState: state,
});

describe('the step of a login', () => {
  it.each([
    ['AuthorizationStateWaitPhoneNumber', 'phone'],
    ['AuthorizationStateWaitCode', 'code'],
    ['AuthorizationStateWaitPassword', 'password'],
    ['AuthorizationStateReady', 'ready'],
    [null, 'elsewhere'],
  ] as const)('in %s is %s', (state, step) => {
    expect(stepOf(state)).toBe(step);
  });

  it('is the number anew where that is to be changed, but not once the login has ended', () => {
    expect(askedStep('AuthorizationStateWaitCode', true)).toBe('phone');
    expect(askedStep('AuthorizationStateWaitCode', false)).toBe('code');
    expect(askedStep('AuthorizationStateReady', true)).toBe('ready');
    expect(askedStep('AuthorizationStateClosed', true)).toBe('closed');
  });

  it.each([null, ...authState.options])('has a sentence where %s asks for nothing', (state) => {
    expect(sentenceOf(sessionIn(state))).toMatch(/请稍候$/);
    expect(sentenceOf({ ...sessionIn(state), detail: '请在手机上确认' })).toBe('请在手机上确认');
  });
});
