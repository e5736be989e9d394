import { afterAll, expect, it, vi } from 'vitest';
import type { ListedMenu } from '#contract/menus.ts';

// As in the English build, which other tests of this process know nothing of.
vi.resetModules();
vi.doMock('#contract/language.ts', async (real) => ({ ...(await real<object>()), language: 'en' }));
afterAll(() => {
  vi.doUnmock('#contract/language.ts');
  vi.resetModules();
});

const { listMenus } = await import('#contract/menus.ts');
const { learnLanguage } = await import('../call/told.ts');
const { columnsOf, PADDING_PX, widthOf } = await import('./columns.ts');
const { neededWidths } = await import('./fit-columns.ts');
await learnLanguage();

it('names that came with the system need the room of what is shown of them', () => {
  const columns = columnsOf<ListedMenu>(listMenus, ['title']);
  const lineOf = (title: string) => [{ row: { title } as ListedMenu, depth: 0, hasBelow: false }];
  const needed = (title: string) => neededWidths(columns, lineOf(title), {}, false)[0];
  expect(needed('会话管理')).toBe(widthOf('Chat sessions') + PADDING_PX);
  expect(needed('客服')).toBe(widthOf('客服') + PADDING_PX);
});
