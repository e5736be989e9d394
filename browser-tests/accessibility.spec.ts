import type { Page } from '@playwright/test';
import { failures } from '#contract/failures.ts';
import { isRowPage } from '#contract/nouns.ts';
import { addOperator, resetOperatorPassword } from '#contract/operators.ts';
import { getCurrentPhase, listCatalogueGames } from '#contract/platform-catalogue.ts';
import { addRole } from '#contract/roles.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { given } from '#server/testing/given.ts';
import { dialogs, examine } from './axe.ts';
import { clientOf, expect, site, test } from './fixtures.ts';
import { goTo, listShown } from './forms.ts';
import { newOperator } from './operators.ts';
import { unique } from './unique.ts';

/** Leaves a line of a change that was denied, which tells more than others. */
async function beDenied(part: number): Promise<void> {
  const operator = { username: `axe${part}${Date.now().toString(36)}`, password: 'correct horse battery' };
  const { username: userName, password } = operator;
  const added = await (await clientOf()).call(addOperator, { userName, password });
  expect(added.envelope.success).toBe(true);
  const { envelope } = await (await clientOf(operator)).call(addRole, { desc: '无权', name: userName });
  expect(envelope.code).toBe(failures.forbidden.code);
}

// The colours around the screens are the same on all of them.
const colours = (path: string) =>
  path === openRoutes.overview.path ? '*' : '[role="tabpanel"], [role="tabpanel"] *';
// A row more shows nothing that the first few do not.
const few = '?pageSize=3';
const all = [...Object.values(openRoutes), ...screens];

for (const part of [0, 1]) {
  const half = all.filter((_, place) => place % 2 === part);
  test(`axe finds nothing wrong on ${half.length} screens, light and dark: half ${part + 1}`, async ({
    operatorPage: page,
  }) => {
    await beDenied(part);
    await page.goto(openRoutes.overview.path);
    await expect(page.getByRole('tabpanel', { name: openRoutes.overview.title })).not.toBeEmpty();
    for (const { path, title } of half) {
      await goTo(page, path + (isRowPage(path) ? '?id=1' : few));
      await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title} `));
      await expect(page.getByText('找不到页面')).toHaveCount(0);
      await expect(page.getByRole('tabpanel', { name: title })).not.toBeEmpty();
      await examine(page, path, { painted: colours(path) });
      // What the tabs behind hold would be looked through as well.
      if (path !== openRoutes.overview.path) await page.getByRole('tab', { selected: true }).press('Delete');
    }
  });
}

const button = (page: Page, name: RegExp) =>
  page.getByRole('button').filter({ hasText: name, visible: true }).first();
const press = (page: Page, name: RegExp) => button(page, name).click();

/** Selects the first row of a list, which several rows can be selected in from then on. */
async function select(page: Page) {
  const first = page.getByRole('checkbox', { name: '选择第 1 行' });
  if (!(await first.isVisible())) await press(page, /^多选$/);
  await first.check();
}

/** What opens over or beside a screen: one of each kind. */
const overlays: readonly [what: string, path: string, open: (page: Page) => Promise<void>][] = [
  ['a form', '/main/news/category', (page) => press(page, /^新增$/)],
  ['a form of many kinds of fields', '/main/game/lottery', (page) => press(page, /^新增$/)],
  ['the odds of a play way', '/main/game/playway', (page) => press(page, /^赔率表$/)],
  ['rules tried on slips', '/main/game/playway', (page) => press(page, /^试算$/)],
  ['how results are read', '/main/game/bet-latitude', (page) => press(page, /^预览$/)],
  ['an import', '/main/user/user', (page) => press(page, /^导入$/)],
  ['an export', '/main/user/user', (page) => press(page, /^导出/)],
  ['the columns', '/main/user/deposit-record', (page) => press(page, /^列/)],
  ['the views', '/main/user/deposit-record', (page) => press(page, /^视图/)],
  ['the buttons of a row', '/main/user/withdraw-record', (page) => press(page, /^标记/)],
  [
    'a row in full',
    '/main/user/deposit-record',
    (page) => page.locator('tbody').getByRole('row').first().getByRole('cell').nth(1).click(),
  ],
  [
    'several rows to be changed',
    '/main/game/game-category',
    async (page) => {
      await select(page);
      await press(page, /^删除（1）$/);
    },
  ],
  ['a question', '/main/pms/role', (page) => press(page, /^删除$/)],
  ['rights to be given', '/main/pms/role', (page) => press(page, /^分配菜单$/)],
  [
    'rights explained',
    '/main/pms/role',
    async (page) => {
      await press(page, /^权限 ▾$/);
      await press(page, /^权限说明$/);
    },
  ],
  ['who reaches a screen', '/main/pms/menu', (page) => press(page, /^谁能访问$/)],
  ['the finder', '/main/pms/menu', (page) => page.keyboard.press('Control+k')],
  ['what is done with a tab', '/main/pms/menu', (page) => page.getByLabel('页签操作').click()],
  ['the operator’s own menu', '/main/pms/menu', (page) => press(page, /^admin/)],
];

test('axe finds nothing wrong in what opens over or beside a screen', async ({ operatorPage: page }) => {
  for (const [what, path, show] of overlays) {
    await page.goto(path + few);
    await listShown(page);
    await show(page);
    await expect(page.locator(dialogs).filter({ visible: true }).last()).toBeVisible();
    await examine(page, what, { within: dialogs });
  }
});

test('nothing glides into place for whoever wants no motion', async ({ operatorPage: page }) => {
  await page.goto(`/main/pms/role${few}`);
  const glided = await page.evaluateHandle(() => {
    const classes = new Set<string>();
    const note = (list: MutationRecord[]) => {
      for (const { target } of list)
        if (target instanceof Element && /-(start|active)\b/.test(target.className))
          classes.add(target.className);
    };
    new MutationObserver(note).observe(document.body, { subtree: true, attributeFilter: ['class'] });
    return classes;
  });
  await press(page, /^新增$/);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '取消' }).click();
  await expect(dialog).toBeHidden();
  expect(await glided.evaluate((classes) => [...classes])).toEqual([]);
});

/** The phase of the sample game that takes bets, for whoever checks its draw. */
async function drawToVerify(): Promise<string> {
  const games = given((await site().call(listCatalogueGames, {})).envelope.data);
  const { id } = given(games.find(({ name }) => name === '示例五分彩'));
  let phase: string | null | undefined;
  // Between the end of bets and the draw, half a minute of every five, none takes any.
  await expect(async () => {
    phase = (await site().call(getCurrentPhase, { id })).envelope.data?.phase;
    expect(phase).toBeTruthy();
  }).toPass();
  return `/verify/${id}/${given(phase ?? undefined)}`;
}

test('axe finds nothing wrong on the pages beside the screens: sign-in, a draw to verify, a password to change, no page', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible();
  await examine(page, 'the login page');
  await page.goto(await drawToVerify());
  await expect(page.getByText('尚未开奖，种子在开奖后公布')).toBeVisible();
  await examine(page, 'a draw to verify');
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '找不到页面' })).toBeVisible();
  await examine(page, 'no page');

  const admin = await clientOf();
  const { id, username } = await newOperator(admin, []);
  const password = unique('given to ');
  expect((await admin.call(resetOperatorPassword, { id, password })).envelope.success).toBe(true);
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(username);
  await page.getByLabel('登录密码').fill(password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/change-password/);
  await expect(page.getByRole('button', { name: '修改密码' })).toBeVisible();
  await examine(page, 'a password to change');
});
