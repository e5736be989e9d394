import { afterAll, expect, it, vi } from 'vitest';
import { z } from 'zod';

// As in the English build, which other tests of this process know nothing of.
vi.resetModules();
vi.doMock('#contract/language.ts', async (real) => ({ ...(await real<object>()), language: 'en' }));
afterAll(() => {
  vi.doUnmock('#contract/language.ts');
  vi.resetModules();
});

const { Approval } = await import('#contract/approvals.ts');
const { pageOf, text } = await import('#contract/fields.ts');
const { told: marked, seeded } = await import('#contract/wording.ts');
const { listCurrentMenus, listMenus } = await import('#contract/menus.ts');
const { inLanguage, learnLanguage, told } = await import('./told.ts');
await learnLanguage();

it('puts the words of the server into English wherever an answer has them, and nothing else', () => {
  const row = z.object({
    name: text('名称'),
    why: marked(text('原因')).nullable(),
    parts: z.array(z.object({ reasons: marked(z.array(z.string())), note: text('备注') })),
    words: marked(z.record(z.string(), z.string())).nullable(),
  });
  const data = {
    totalCount: 1,
    data: [
      {
        name: '删除',
        why: '记录不存在',
        parts: [{ reasons: ['新增成功', '张三'], note: '删除' }],
        words: { ADD: '新增' },
      },
    ],
  };
  expect(inLanguage(pageOf(row), data)).toEqual({
    totalCount: 1,
    data: [
      {
        name: '删除',
        why: 'The record does not exist',
        parts: [{ reasons: ['Added', '张三'], note: '删除' }],
        words: { ADD: 'Add' },
      },
    ],
  });
  expect(
    inLanguage(pageOf(row), { totalCount: 1, data: [{ ...data.data[0], why: null, words: null }] }),
  ).toMatchObject({
    data: [{ why: null, words: null }],
  });
});

it('reaches rows below rows, in the words of their own file, and leaves what forms edit', () => {
  const menu = { title: '充值订单', childrens: [{ title: '提现订单', childrens: [] }] };
  expect(inLanguage(listCurrentMenus.output, [menu])).toEqual([
    { title: 'Deposits', childrens: [{ title: 'Withdrawals', childrens: [] }] },
  ]);
  expect(inLanguage(listMenus.output, [menu])).toEqual([menu]);
  expect(seeded(text('标题'), 'contract/screens.ts').meta()?.seeded).toBe('contract/screens.ts');
  expect(told('充值订单', 'contract/screens.ts')).toBe('Deposits');
});

it('says what a change waits for', () => {
  const approval = { summary: '人工扣款', why: '人工加扣款超过 100', barred: null, reason: '人工扣款' };
  expect(inLanguage(Approval, approval)).toEqual({
    summary: 'Manual debit',
    why: 'Manual credit or debit above 100',
    barred: null,
    reason: '人工扣款',
  });
});
