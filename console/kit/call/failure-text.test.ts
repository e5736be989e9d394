import { describe, expect, test } from 'vitest';
import { httpFailureText } from './failure-text.ts';

describe('the error catalogue', () => {
  test.each([
    [400, '请求方式不支持或参数错误'],
    [403, '权限不足!'],
    [404, '找不到页面'],
    [500, '系统错误'],
    [503, '系统无响应'],
  ])('%i without words of its own reads %s', (status, text) => {
    expect(httpFailureText(status, null)).toBe(text);
    expect(httpFailureText(status, '<html>')).toBe(text);
    expect(httpFailureText(status, { msg: '', message: null })).toBe(text);
  });

  test('the body’s own words win, msg before message', () => {
    expect(httpFailureText(429, { msg: '请 30 秒后再试' })).toBe('请 30 秒后再试');
    expect(httpFailureText(500, { message: '磁盘已满' })).toBe('磁盘已满');
    expect(httpFailureText(500, { msg: '甲', message: '乙' })).toBe('甲');
  });

  test.each([401, 418, 502, 504])('%i says nothing', (status) => {
    expect(httpFailureText(status, null)).toBeNull();
  });
});
