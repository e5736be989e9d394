import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import {
  amount,
  choice,
  dateTime,
  decimal,
  filters,
  flag,
  id,
  integer,
  longText,
  metaOf,
  optional,
  paged,
  range,
  secret,
  tellingLength,
  text,
} from './fields.ts';
import { ids, nested, rows } from './list-fields.ts';
import { reason } from './named-fields.ts';
import { ResultRule } from './result-rules.ts';
import { SelectionRule } from './selections.ts';

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Text that looks like a number, or nearly does. */
const nearlyNumber = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0019.,-+eE _٣５\n'), maxLength: 20 }),
  fc.stringMatching(/^[0-9]{0,14}(\.[0-9]{0,6})?$/),
  fc.string(),
);

describe('decimals', () => {
  const grammar = /^\d{1,12}(\.\d{1,4})?$/;

  it('are accepted exactly in their grammar, and kept to the letter', () => {
    fc.assert(
      fc.property(nearlyNumber, (value) => {
        const result = decimal('金额').safeParse(value);
        expect(result.success).toBe(grammar.test(value));
        if (result.success) expect(result.data).toBe(value);
      }),
    );
  });

  it('as an amount are above zero too', () => {
    fc.assert(
      fc.property(nearlyNumber, (value) => {
        expect(accepts(amount('金额'), value)).toBe(grammar.test(value) && /[1-9]/.test(value));
      }),
    );
    for (const zero of ['0', '0.0', '0.0000', '000000000000', 0])
      expect(accepts(amount('金额'), zero)).toBe(false);
  });

  it('say what is wrong with a number: its sign, its size or its shape', () => {
    const says = (schema: z.ZodType, value: string) => schema.safeParse(value).error?.issues[0]?.message;
    const shape = '须为不超过 4 位小数的数字';
    expect(says(amount('金额'), '-5')).toBe('须大于 0');
    expect(says(amount('金额'), '-0.5')).toBe('须大于 0');
    expect(says(decimal('金额'), '-5')).toBe('不能小于 0');
    expect(says(decimal('金额'), '99999999999999999999')).toBe('数值过大');
    expect(says(decimal('金额'), '1234567890123.45')).toBe('数值过大');
    for (const value of ['1e3', '1.23456', '1,000', ' 5', '--5', '-'])
      expect(says(decimal('金额'), value)).toBe(shape);
    expect(says(amount('金额'), '')).toBe('不能为空');
    expect(says(amount('金额'), '0')).toBe('须大于 0');
  });

  it('as a number mean what the number prints', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e21, 1e-7, -0, NaN, Infinity)),
        (value) => {
          expect(accepts(decimal('赔率'), value)).toBe(grammar.test(String(value)));
        },
      ),
    );
  });

  it('are never anything else', () => {
    for (const value of [null, undefined, true, [], ['1'], {}, 1n, new Date(0)])
      expect(accepts(decimal('赔率'), value)).toBe(false);
  });
});

describe('ids', () => {
  it('are whole numbers from 1, as numbers or as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(id().parse(value)).toBe(value);
        if (value < 1e15) expect(id().parse(String(value))).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ max: 0 }), (value) => !accepts(id(), value) && !accepts(id(), String(value))),
    );
    fc.assert(
      fc.property(nearlyNumber, (value) => {
        if (!/^\s*\d+\s*$/.test(value)) expect(accepts(id(), value)).toBe(false);
      }),
    );
    for (const value of [1.5, NaN, Infinity, 2 ** 53, '', ' ', null, undefined, true, [1], {}])
      expect(accepts(id(), value)).toBe(false);
  });

  it('in a list may come alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1e9 })), (list) => {
        expect(ids('角色').parse(list.map(String))).toEqual(list);
      }),
    );
    expect(ids('角色').parse('7')).toEqual([7]);
    expect(accepts(ids('角色'), undefined)).toBe(false);
    expect(accepts(ids('角色', { min: 1 }), [])).toBe(false);
  });

  it('stay within the bounds of an integer field', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: -50, max: 0 }),
        fc.integer({ min: 1, max: 50 }),
        (value, min, max) => {
          expect(accepts(integer('排序', { min, max }), value)).toBe(value >= min && value <= max);
        },
      ),
    );
  });
});

describe('moments', () => {
  const two = (value: number): string => String(value).padStart(2, '0');

  it('exist in the calendar or are refused', () => {
    const part = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 9999 }),
        part(14),
        part(33),
        part(25),
        part(61),
        part(61),
        (year, month, day, hour, minute, second) => {
          const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
          const value = `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
          const exists = moment.toISOString().slice(0, 19).replace('T', ' ') === value;
          expect(accepts(dateTime('创建时间'), value)).toBe(exists);
        },
      ),
    );
  });

  it('are written one way only', () => {
    fc.assert(fc.property(fc.string(), (value) => !accepts(dateTime('创建时间'), value)));
    for (const value of [
      '2026-1-1 00:00:00',
      '2026-01-01T00:00:00',
      '2026-01-01 00:00:00\n',
      '２026-01-01 00:00:00',
      0,
    ])
      expect(accepts(dateTime('创建时间'), value)).toBe(false);
  });

  it('make a range of exactly two, the first not after the second', () => {
    const [early, late] = ['2026-01-01 00:00:00', '2026-01-01 23:59:59'];
    expect(accepts(range('创建时间'), [early, late])).toBe(true);
    expect(accepts(range('创建时间'), [early, early])).toBe(true);
    for (const value of [[late, early], [early], [early, late, late], early, [], {}])
      expect(accepts(range('创建时间'), value)).toBe(false);
  });
});

describe('text', () => {
  it('never holds NUL or a lone surrogate', () => {
    const spoilt = fc.constantFrom('\u0000', '\ud800', '\udfff');
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        spoilt,
        fc.string({ maxLength: 20 }),
        (before, bad, after) => {
          for (const field of [text, longText, secret])
            expect(accepts(field('标题'), `${before}a${bad}a${after}`)).toBe(false);
        },
      ),
    );
  });

  it('is trimmed on one line; several lines and secrets are kept to the letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), (value) => {
        fc.pre(tellingLength(value) > 0 && !value.includes('\u0000'));
        expect(secret('密码').parse(value)).toBe(value);
        expect(longText('内容').parse(value)).toBe(value);
        expect(text('标题').parse(value)).toBe(value.trim());
      }),
    );
  });

  it.each([
    ['a zero-width space alone', '\u200b'],
    ['blank braille alone', '\u2800'],
    ['fillers of Hangul alone', '\u3164\u115f\uffa0'],
  ])('with %s says nothing', (_what, value) => {
    expect(accepts(text('标题'), value)).toBe(false);
  });

  it('of several lines says something too, and as much as it must', () => {
    expect(accepts(longText('内容'), ' \n\u3164')).toBe(false);
    expect(accepts(longText('依据', { min: 4 }), '    ')).toBe(false);
    expect(accepts(longText('依据', { min: 4 }), 'ab\u200b\u200bc')).toBe(false);
    expect(accepts(longText('依据', { min: 4 }), '见公告 7')).toBe(true);
    expect(accepts(reason('原因'), '\u3164\u3164\u3164\u3164')).toBe(false);
    expect(reason('原因').parse(' 来源有误 ')).toBe('来源有误');
  });

  it('is long enough and not too long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), (length) => {
        expect(accepts(text('标题', { max: 20 }), 'a'.repeat(length))).toBe(length >= 1 && length <= 20);
        expect(accepts(secret('密码', { min: 8 }), 'a'.repeat(length))).toBe(length >= 8);
      }),
    );
  });
});

describe('filters', () => {
  const shape = {
    id: id(),
    title: text('标题'),
    amount: decimal('金额'),
    important: flag('重要'),
    type: choice('类型', { A: '甲', B: '乙' }),
    createTimeRange: range('创建时间'),
  };
  const empty = fc.constantFrom('', ' ', '　\t', null, undefined, [], [''], ['', ' '], [null, null]);

  it('that are empty are not given', () => {
    const all = fc.record({
      id: empty,
      title: empty,
      amount: empty,
      important: empty,
      type: empty,
      createTimeRange: empty,
    });
    fc.assert(
      fc.property(all, (input) => {
        const found = Object.values(filters(shape).parse(input)).filter((value) => value !== undefined);
        expect(found).toEqual([]);
      }),
    );
  });

  it('keep false, 0 and what their fields refuse', () => {
    expect(filters(shape).parse({ important: 'false', amount: '0' })).toEqual({
      important: false,
      amount: '0',
    });
    for (const wrong of [
      { id: '0' },
      { type: 'C' },
      { title: '\u0000' },
      { createTimeRange: ['', '2026-11-25 00:00:00'] },
    ])
      expect(accepts(filters(shape), wrong)).toBe(false);
  });

  it('leave a secret as it was typed, blanks too', () => {
    expect(optional(secret('密码')).parse(' ')).toBe(' ');
    expect(optional(secret('密码')).parse('')).toBeUndefined();
  });

  it('keep their words through optional', () => {
    expect(metaOf(optional(shape.type))).toMatchObject({
      title: '类型',
      kind: 'choice',
      choices: { A: '甲' },
    });
  });

  it('come with a page from 1 and at most 9999 rows', () => {
    expect(paged(shape).parse({})).toEqual({ currentPage: 1, pageSize: 20 });
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -5, max: 12_000 }), (currentPage, pageSize) => {
        const valid = currentPage >= 1 && pageSize >= 1 && pageSize <= 9999;
        expect(accepts(paged(shape), { currentPage, pageSize: String(pageSize) })).toBe(valid);
      }),
    );
  });
});

describe('objects inside a request', () => {
  const row = z.object({ name: text('名称'), index: integer('排序') });

  it('read the same from JSON and from a form', () => {
    const one = fc.record({
      name: fc.stringMatching(/^[a-z"{}\\]{1,9}$/),
      index: fc.integer({ min: 0, max: 99 }),
    });
    fc.assert(
      fc.property(fc.array(one), (list) => {
        expect(rows('行', row).parse(list)).toEqual(list);
        expect(rows('行', row).parse(list.map((each) => JSON.stringify(each)))).toEqual(list);
      }),
    );
    expect(rows('行', row).parse('{"name":"a","index":1}')).toEqual([{ name: 'a', index: 1 }]);
    expect(nested('行', row).parse('{"name":"a","index":"1"}')).toEqual({ name: 'a', index: 1 });
  });

  it('say which of their items is wrong, and which field of it', () => {
    const line = z.object({ unitStake: amount('单注金额'), selection: text('选号') });
    const call = z.object({ lines: rows('注项', line, { min: 1 }), ids: ids('编号'), range: range('时间') });
    const said = (input: object) => {
      const { issues = [] } = call.safeParse({ lines: [], ids: [], ...input }).error ?? {};
      return issues.map(({ path, message }) => describeIssue(call, path, message));
    };
    const good = { unitStake: '1', selection: '大' };
    expect(said({ lines: [good, { ...good, unitStake: '0' }] })).toContain('注项第 2 项的单注金额须大于 0');
    expect(said({ lines: [good, null] })).toContain('注项第 2 项不能为空');
    expect(said({ lines: [] })).toContain('注项不能为空');
    expect(said({ ids: [1, 2, 'x'] })).toContain('编号第 3 项须为整数');
    expect(said({ range: ['x', 'y'] })).toContain('时间须为 YYYY-MM-DD HH:mm:ss 格式的时间');
  });

  it('say which field of an object is wrong, however deep it lies', () => {
    const account = z.object({ accountNo: text('收款账号', { max: 3 }) });
    const call = z.object({
      account: nested('收款账户', account),
      rule: nested('开奖结果', ResultRule),
      selection: nested('选号方式', SelectionRule),
      variables: nested('模板变量', z.record(text('变量名'), text('变量值'))),
    });
    const said = (input: object) =>
      call
        .partial()
        .safeParse(input)
        .error?.issues.map(({ path, message }) => describeIssue(call, path, message));
    const part = { count: 1, of: ['1'], repeat: true, ordered: true };
    const choice = { kind: 'COMBINATION', choose: 1, of: ['1'] };
    expect(said({ account: {} })).toEqual(['收款账户的收款账号不能为空']);
    expect(said({ account: { accountNo: '6222' } })).toEqual(['收款账户的收款账号不能超过 3 个字符']);
    expect(said({ account: 'x' })).toEqual(['收款账户格式不正确']);
    expect(said({ rule: { parts: [part, { ...part, count: 0 }] } })).toEqual([
      '开奖结果的结果组成第 2 项的个数不能小于 1',
    ]);
    expect(said({ rule: { parts: [{ ...part, of: [] }] } })).toEqual([
      '开奖结果的结果组成第 1 项的号码范围不能为空',
    ]);
    expect(said({ selection: { ...choice, choose: undefined } })).toEqual(['选号方式的选择个数不能为空']);
    expect(said({ selection: { ...choice, of: ['1', '1'] } })).toEqual(['选号方式的可选号码不能重复']);
    expect(said({ selection: { kind: 'PLACES', places: 2, of: [['1']] } })).toEqual([
      '选号方式的可选号码须与部分一样多',
    ]);
    for (const name of ['constructor', 'toString', 'a'])
      expect(said({ variables: { [name]: {} } }), name).toEqual(['模板变量须为文本']);
    expect(said({ selection: { kind: 'NONE' } })).toEqual(['选号方式不是可选的方式']);
  });

  it('refuse whatever else a caller sends, without breaking', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        accepts(rows('行', row), value);
        accepts(nested('行', row), value);
        for (const field of [
          text('标题'),
          id(),
          decimal('金额'),
          flag('重要'),
          dateTime('时间'),
          ids('编号'),
        ])
          accepts(field, value);
      }),
    );
    expect(accepts(flag('重要'), { toString: 1 })).toBe(false);
    for (const wrong of ['{', '{"name":', undefined, null, 3, ['{}']])
      expect(accepts(rows('行', row), wrong)).toBe(false);
  });
});
