import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** The rows of the list that is shown. */
export const rows = (page: Page): Locator => page.locator('tbody').getByRole('row');

export const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** Screens that are no list. */
export const screensWithoutList: readonly string[] = [
  '/main/session/my-session',
  '/main/user/money-desk',
  '/main/user/user-page',
  '/main/game/draw-desk',
  '/main/game/game-page',
];

/** Waits until a list shows its rows, or says that there are none. */
export const listShown = (page: Page): Promise<void> =>
  page.locator('.list-box tbody tr:visible, .list-blank:not([aria-busy]):visible').first().waitFor();

/** Waits until no call locks the screen: until then keys press no more than the mouse does. */
export const unlocked = (page: Page): Promise<void> => expect(page.locator('.loading-on')).toHaveCount(0);

/** Opens a screen as a click in the side bar does: the console is not loaded anew for each. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** The form that is open. */
export const openForm = (page: Page): Locator => page.getByRole('dialog').filter({ hasText: '提交' });

/** Types into a field; a picked time counts once it is confirmed in its picker, which a person whose click came too soon would do again. */
export async function enter(dialog: Locator, label: string, value: string) {
  const input = dialog.getByLabel(label, { exact: true });
  await input.click();
  await input.fill(value);
  if (!label.endsWith('时间')) return;
  const confirm = dialog.page().locator('.ant-picker-dropdown:visible').getByRole('button', { name: '确定' });
  await expect(async () => {
    if (await confirm.isVisible()) await confirm.click({ timeout: 5_000 });
    await expect(confirm).toBeHidden({ timeout: 5_000 });
  }).toPass();
  await expect(input).toHaveValue(value);
}

/**
 * Picks from a select by typing what is looked for; a list to pick several from stays open until clicked beside. Choices that come in
 * anew replace the one under the mouse between its press and its release: then it is picked again, as a person would.
 */
export async function choose(page: Page, select: Locator, ...options: string[]) {
  const chosen = select.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " ant-select ")]');
  for (const option of options)
    await expect(async () => {
      await select.fill(option);
      const found = page.locator('.ant-select-item-option:visible');
      const same = found.filter({ hasText: new RegExp(`^${option}$`) });
      await found.first().waitFor({ timeout: 15_000 });
      const wanted = ((await same.count()) > 0 ? same : found.filter({ hasText: option })).first();
      if (!/option-selected/.test((await wanted.getAttribute('class', { timeout: 15_000 })) ?? ''))
        await wanted.click({ timeout: 15_000 });
      await expect(chosen).toContainText(option, { timeout: 5_000 });
    }).toPass();
  await page.locator('.dialog-title').click();
}

/** Takes a preset of a range of moments, whose picker goes once the range has come in. */
export async function pickPreset(page: Page, range: string, preset: string) {
  const picker = page.locator('.ant-picker-dropdown:visible');
  const from = page.getByLabel(range).first();
  await from.click();
  await picker.getByText(preset, { exact: true }).click();
  await expect(picker).toHaveCount(0);
  await expect(from).toHaveValue(/ 00:00:00$/);
}

/** What goes into a form: texts to type, and options to pick from selects. */
export interface Entries {
  readonly texts?: Record<string, string>;
  readonly choices?: Record<string, string | readonly string[]>;
}

/** Opens a form by its button and fills it in. */
export async function begin(page: Page, open: Locator, { texts = {}, choices = {} }: Entries) {
  await open.click();
  const dialog = openForm(page);
  for (const [label, value] of Object.entries(texts)) await enter(dialog, label, value);
  for (const [label, options] of Object.entries(choices))
    await choose(page, dialog.getByLabel(label, { exact: true }), ...[options].flat());
  return dialog;
}

/** Leaves a form with what is entered in it. */
export async function giveUp(dialog: Locator) {
  const cancel = dialog.getByRole('button', { name: '取消' });
  if (await cancel.isVisible()) await cancel.click();
  const drop = dialog.getByRole('button', { name: '放弃' });
  // It asks where something was entered, and closes at once where nothing was.
  await expect.poll(async () => (await drop.isVisible()) || (await dialog.isHidden())).toBe(true);
  if (await drop.isVisible()) await drop.click();
  await expect(dialog).toBeHidden();
}

/** Sends a form, which closes once the server has taken it. */
export async function submit(dialog: Locator) {
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog).toBeHidden();
}

/** Opens a form by its button, fills it in and sends it. */
export const fill = async (page: Page, open: Locator, entries: Entries) =>
  submit(await begin(page, open, entries));
