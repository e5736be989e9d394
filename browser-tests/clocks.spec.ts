import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, test } from './fixtures.ts';

// Playwright does not always take its clock out of a context again, and whoever came next there would be told of a missing one.
test.use({ reuseContext: false });

test('the form waits for the sample account, so that nothing comes between the letters of who types at once', async ({
  page,
}) => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const data = { sampleAccount: { username: 'sample', password: 'sample12345' } };
  await page.route('**/api/public/settings', async (route) => {
    await answered;
    await route.fulfill({ json: { success: true, msg: null, data, code: 200 } }).catch(() => {});
  });
  // The form's patience does not end meanwhile, however slow the machine is.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(3_600_000);
  const asked = page.waitForRequest('**/api/public/settings');
  await page.goto('/login');
  await asked;
  await expect(page.getByRole('main')).toBeAttached();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  answer();
  await expect(page.getByLabel('登录密码')).toHaveValue('sample12345');
  await page.getByLabel('登录账号').fill('somebody');
  await expect(page.getByLabel('登录账号')).toHaveValue('somebody');
});

test('the watermark names who looks, once the parameter asks for it', async ({ operatorPage: page }) => {
  const admin = await clientOf();
  const set = async (value: string) => {
    const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
    const param = given(params.find(({ key }) => key === 'console.watermark'));
    await admin.call(updateParamSetting, { ...param, value });
  };
  const mark = page.locator('.watermark');
  await page.clock.install();
  await page.goto('/main/pms/role');
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await expect(mark).toHaveCount(0);
  await set('true');
  try {
    // Windows stand open for days: no one of them is loaded again for a parameter.
    await page.clock.fastForward('01:01');
    await expect(mark).toHaveAttribute('data-words', /^admin \d{4}-\d\d-\d\d \d\d:\d\d$/);
    await page.getByRole('button', { name: '列', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  } finally {
    await set('false');
  }
});
