import { describe, expect, it } from 'vitest';
import { SAMPLE_PASSWORD } from '../sample-account.ts';
import { isCommonPassword } from './common-passwords.ts';

describe('common passwords', () => {
  it.each([
    SAMPLE_PASSWORD,
    '12345678',
    '１２３４５６７８',
    '1234567890',
    '87654321',
    '88888888',
    '66668888',
    '12121212',
    'abcabcabc',
    'aaaaaaaa1',
    'abcdefgh',
    'abc12345',
    'abcd1234',
    'a12345678',
    'qq123456789',
    'qwertyui',
    'QWERTY123',
    '1qaz2wsx',
    '1q2w3e4r',
    'q1w2e3r4',
    'password',
    'Password1',
    'P@ssw0rd',
    'p@ssw0rd2024!',
    'admin123',
    'admin888888',
    'administrator',
    'welcome2024',
    'woaini1314',
    'woaini520',
    'iloveyou',
    'letmein!',
    '19900101',
    '20240808',
    '13800138000',
    '!@#$%^&*',
    '        ',
    '\u3000\u3000\u3000\u3000\u3000\u3000\u3000\u3000',
    '\u00a0\u200b\u3164\u2800\u00a0\u200b\u3164\u2800',
    'ｐａｓｓｗｏｒｄ',
  ])('%s is one', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    'correct horse battery',
    'long enough',
    'first password',
    'quite a long one',
    'Zx7-kd92-Lq',
    '天王盖地虎宝塔镇河妖',
    'mP4!vetR0uge',
    '8372950164',
    'admin of the tests',
    'my-admin-8k2d',
  ])('%s is none', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
