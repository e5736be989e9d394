import type { Page } from '@playwright/test';
import { englishOf, texts } from '#contract/english/texts.ts';
import { serverTexts } from '#contract/english/told.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { login } from '#contract/sign-in.ts';
import { testClient } from '#server/testing/test-client.ts';
import { examineWords } from './axe.ts';
import { expect, newAdministrator, signIn, speakEnglish, test } from './fixtures.ts';
import { goTo } from './forms.ts';

const isEnglish = (page: Page) => expect(page.locator('html')).toHaveAttribute('lang', 'en');

/** Opens the user menu and takes the other language. */
async function change(page: Page, name: 'English' | '中文'): Promise<void> {
  await page.locator('.top-user').click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
}

test('an operator who chooses English reads everything in it, and does so wherever they sign in next', async ({
  page,
  browser,
  baseURL,
}) => {
  const operator = await newAdministrator();
  await signIn(page, operator);
  await change(page, 'English');
  await isEnglish(page);
  await page.goto('/main/pms/role');
  await expect(page.getByRole('heading', { name: 'Roles' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Role code' })).toBeVisible();
  // What the server refuses is told in English at its field.
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit' });
  await form.getByRole('button', { name: 'Submit' }).click();
  await expect(form.getByLabel('Role name')).toHaveAccessibleDescription('Role name must not be empty');
  await form.getByRole('button', { name: 'Cancel' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'CSV file' }).click();
  expect((await coming).suggestedFilename()).toMatch(/^Role-\d{14}\.csv$/);
  // A word that is a state elsewhere.
  await page.getByRole('dialog', { name: 'Export' }).getByText('Close', { exact: true }).click();
  await page.getByRole('button', { name: 'Tab actions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Roles' })).toBeHidden();

  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await elsewhere.newPage();
  await signIn(other, operator);
  await isEnglish(other);
  await expect(other.getByRole('searchbox', { name: 'Search menus' })).toBeVisible();
  await change(other, '中文');
  await expect(other.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(other.getByRole('searchbox', { name: '搜索菜单' })).toBeVisible();
  await elsewhere.close();
});

test('the language is chosen on the login page too, and kept for whoever signs in there', async ({
  page,
  baseURL,
}) => {
  const { username, password } = await newAdministrator();
  await page.goto('/login');
  await page.getByRole('button', { name: 'English' }).click();
  await isEnglish(page);
  await page.getByLabel('Account').fill(username);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(
    page.getByRole('alert').getByText('Wrong account, password or Google code').first(),
  ).toBeVisible();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/main\//);
  await isEnglish(page);
  const chosen = async () =>
    (await testClient(baseURL ?? '').call(login, { username, password })).envelope.data?.language;
  await expect.poll(chosen).toBe('en');
});

/** Texts that are shown, read out or offered, but for what rows hold: of these only what is a word or a button. */
const shownOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said: (string | null)[] = [];
    const isOfRow = (element: Element | null) =>
      element?.closest('tbody, dd, .draws-game, .document p') && !element.closest('.tag, button');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!isOfRow(node.parentElement)) said.push(node.textContent);
    for (const element of document.querySelectorAll(
      '[title], [aria-label], [placeholder], [aria-description]',
    ))
      if (!isOfRow(element))
        for (const name of ['title', 'aria-label', 'placeholder', 'aria-description'])
          said.push(element.getAttribute(name));
    return said.flatMap((text) => text?.trim() || []);
  });

test('what the server says in several sentences is English in the browser as well', async ({
  operatorPage: page,
  context,
  baseURL,
}) => {
  await speakEnglish(context, baseURL);
  await page.route('**/api/bet/settlement/page', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.data[0].problem =
      '2 张注单待处理：派彩 1,000.00 超过 500.00，待放行；派彩 2,000.00 超过 500.00，待放行';
    await route.fulfill({ response, json });
  });
  await page.goto('/main/bet/settlement');
  await expect(
    page.getByText(
      '2 slips held: Payout 1,000.00 above 500.00, waiting for release; Payout 2,000.00 above 500.00, waiting for release',
    ),
  ).toBeVisible();
});

test('no screen of the English console shows a Chinese word of its own, and axe finds nothing wrong with what is named', async ({
  context,
  operatorPage: page,
  baseURL,
}) => {
  const all = [...Object.values(openRoutes), ...screens];
  await speakEnglish(context, baseURL);
  await page.goto(openRoutes.overview.path);
  await isEnglish(page);
  const known = { ...texts, ...serverTexts };
  const left: string[] = [];
  for (const { path, title } of all) {
    await goTo(page, path);
    const english = englishOf(title, 'contract/screens.ts');
    await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${english} `));
    const panel = page.getByRole('tabpanel');
    await expect(panel).not.toBeEmpty();
    await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
    for (const text of await shownOn(page))
      if (/[\u4e00-\u9fff]/.test(text) && text in known && known[text] !== text)
        left.push(`${path}: ${text}`);
    await examineWords(page, path);
    // What the tabs behind hold would be looked through as well.
    if (path !== openRoutes.overview.path) await page.getByRole('tab', { selected: true }).press('Delete');
  }
  expect(left).toEqual([]);
});
