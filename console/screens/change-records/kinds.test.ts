import { expect, test } from 'vitest';
import { kinds } from './kinds.ts';

test('the record is searched by what can be changed or taken out, whole as the record knows it', () => {
  const offered = kinds.map(({ value }) => value);
  expect(offered).toEqual(expect.arrayContaining(['角色', '操作员', '充值订单', '账变记录', '平台接口']));
  // What is only looked at leaves nothing in the record.
  for (const heading of ['数据概览', '查找', '实时消息']) expect(offered).not.toContain(heading);
  expect(new Set(offered).size).toBe(offered.length);
});
