import { examineLoading } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { pickPreset } from './forms.ts';
import { hold } from './hold.ts';

test('the search lives in the address: a reload shows the same list, 重置 clears it', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  // While the list is read the screen takes no keys.
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await page.getByLabel('角色名称').fill('没有这个角色');
  await page.getByLabel('角色名称').press('Enter');
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('角色名称')).toHaveValue('没有这个角色');
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await page.getByRole('button', { name: '重置' }).click();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(page).toHaveURL(/\/main\/pms\/role$/);
  await page.goBack();
  await expect(page.getByLabel('角色名称')).toHaveValue('没有这个角色');
});

test('what is typed while a search is under way stays', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  const { asked, letGo } = await hold(page, '**/api/pms/role/list');
  const name = page.getByLabel('角色名称');
  await name.fill('超级');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect.poll(asked).toBe(1);
  await name.fill('没有这个角色');
  letGo();
  await expect(page).toHaveURL((url) => url.searchParams.get('desc') === '超级');
  await expect(name).toHaveValue('没有这个角色');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  // Gone back to, a search is shown as it was.
  await page.goBack();
  await expect(name).toHaveValue('超级');

  const again = await hold(page, '**/api/pms/role/list');
  await page.getByRole('button', { name: '重置' }).click();
  await expect.poll(again.asked).toBe(1);
  await name.fill('又一个');
  again.letGo();
  await expect(page).toHaveURL(/\/main\/pms\/role$/);
  await expect(name).toHaveValue('又一个');
});

test('page and size live in the address: a reload stays where it was', async ({ operatorPage: page }) => {
  await page.goto('/main/user/user');
  const pager = page.getByRole('navigation', { name: '分页' });
  await expect(pager.getByRole('button', { name: '第 2 页' })).toBeVisible();
  const newest = (await page.getByRole('row').nth(1).textContent()) ?? '';
  await pager.getByRole('button', { name: '第 2 页' }).click();
  await expect(pager.getByRole('button', { name: '第 2 页' })).toHaveAttribute('aria-current', 'page');
  // The first page stays in sight until the second has come.
  await expect(page.getByRole('row').nth(1)).not.toHaveText(newest);
  const first = await page.getByRole('row').nth(1).textContent();
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toHaveText(first ?? '');
  await pager.getByLabel('每页条数').selectOption('50 条/页');
  await expect(page).toHaveURL(/\?pageSize=50$/);
  await expect(page.getByRole('row')).toHaveCount(51);
  // Another page begins at its top.
  const box = page.getByRole('region', { name: '分页查询用户' });
  await box.evaluate((element) => element.scrollBy(0, 900));
  await pager.getByLabel('跳至页码').fill('3');
  await pager.getByLabel('跳至页码').press('Enter');
  await expect(page).toHaveURL(/\?currentPage=3&pageSize=50$/);
  // Told to whoever does not see it.
  await expect(pager.getByRole('status')).toHaveText(/^第 3 页，共 [\d,]+ 条$/);
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(0);
  // The way back ends at the first page, and leaves the keyboard there.
  const back = pager.getByRole('button', { name: '上一页' });
  await back.focus();
  for (const place of [2, 1]) {
    await page.keyboard.press('Enter');
    await expect(pager.getByRole('button', { name: `第 ${place} 页` })).toHaveAttribute(
      'aria-current',
      'page',
    );
  }
  await expect(back).toHaveAttribute('aria-disabled', 'true');
  await expect(back).toBeFocused();
  await page.goto('/main/user/user?currentPage=900');
  await expect(page).not.toHaveURL(/900/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});

test('a list of hundreds keeps few rows in the page, and shows the last one by scrolling', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/account-history?pageSize=1000');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  const box = page.getByRole('region', { name: '分页查询账变记录' });
  // By keyboard from within a row, which is soon not drawn any more.
  await page.getByRole('row').nth(1).getByRole('link').first().focus();
  await expect(async () => {
    await page.keyboard.press('PageDown');
    expect(await box.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(3_000);
  }).toPass();
  await expect(box).toBeFocused();
  const seesTheLast = async () => {
    await box.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    // As many as there are: more come while others bet and play.
    const last = (await page.getByRole('table').first().getAttribute('aria-rowcount')) ?? '';
    await expect(page.locator(`[aria-rowindex="${last}"]`)).toBeInViewport();
  };
  await seesTheLast();
  // Opened again, its rows are known before it stands.
  await page.getByRole('link', { name: '数据概览' }).first().click();
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  await seesTheLast();
});

test('a click on 搜索 asks before anything is drawn, and once', async ({ operatorPage: page }) => {
  await page.goto('/main/user/account-history');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/accountHistory/page')) asked.push(request.postData() ?? '');
  });
  await page.getByLabel('用户编号').fill('999999999');
  const inTheClick = await page.getByRole('button', { name: '搜索' }).evaluate((button: HTMLElement) => {
    const { fetch } = window;
    let calls = 0;
    window.fetch = (...sent) => {
      calls += 1;
      return fetch(...sent);
    };
    button.click();
    window.fetch = fetch;
    return calls;
  });
  expect(inTheClick).toBe(1);
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await expect(page).toHaveURL(/userId=999999999/);
  expect(asked.map((body) => new URLSearchParams(body).get('userId'))).toEqual(['999999999']);
});

test('whoever goes elsewhere while a search is read stays there', async ({ operatorPage: page }) => {
  await page.goto('/main/user/account-history');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  const { letGo } = await hold(page, '**/api/pms/role/list');
  await page.getByLabel('角色名称').fill('没有这个角色');
  await page.getByLabel('角色名称').press('Enter');
  await expect(page.getByText('努力加载中...')).toBeVisible();
  await examineLoading(page);
  await page.keyboard.press('Alt+1');
  await expect(page).toHaveURL(/account-history$/);
  letGo();
  await expect(page.getByText('努力加载中...')).toBeHidden();
  await expect(page).toHaveURL(/account-history$/);
});

test('the menu has its icons while a screen that was just opened still waits for its rows', async ({
  operatorPage: page,
}) => {
  const { letGo } = await hold(page, '**/api/pms/role/list');
  await page.goto('/main/pms/role');
  await expect(page.getByText('努力加载中...')).toBeVisible();
  await expect(page.getByRole('navigation', { name: '主菜单' }).locator('svg').first()).toBeVisible();
  await expect(page.getByText('努力加载中...')).toBeVisible();
  letGo();
});

test('what is written while the screen is locked is not lost, and presses nothing', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  const { asked, letGo } = await hold(page, '**/api/pms/role/list');
  const name = page.getByLabel('角色名称');
  await name.fill('没有');
  await name.press('Enter');
  await expect(page.getByText('努力加载中...')).toBeVisible();
  await name.press('End');
  await page.keyboard.type(' 这个');
  await page.keyboard.press('Enter');
  await expect(name).toHaveValue('没有 这个');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('开奖 记录');
  await expect(page.getByRole('option', { name: /页面 ?开奖记录/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/main/game/open-record');
  expect(asked()).toBe(1);
  letGo();
});

test('a screen opened anew has asked for its rows before its scripts have come, and asks once', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  // What the screen began with is known once everything stands.
  await page.waitForFunction(() => localStorage.getItem('first /main/pms/role'));
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/pms/role/list')) asked.push(request.url());
  });
  const { letGo } = await hold(page, '**/assets/*.js');
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => asked.length).toBe(1);
  letGo();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(page.getByText('努力加载中')).toBeHidden();
  expect(asked).toHaveLength(1);
  // An address with a search is learnt by nobody.
  await page.goto('/main/pms/menu?title=x');
  await expect(page.getByRole('row').first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('first /main/pms/menu'))).toBeNull();
});

test('the files of a screen are on their way before its scripts have come, its styles among them', async ({
  operatorPage: page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const { letGo } = await hold(page, '**/assets/*.js');
  await page.goto('/main/pms/role', { waitUntil: 'commit' });
  for (const file of [/\/inside-[^/]*\.js$/, /\/inside-[^/]*\.css$/, /\/RoleScreen-[^/]*\.js$/])
    await expect.poll(() => asked.filter((path) => file.test(path)).length).toBe(1);
  letGo();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
});

test('a date range is picked by a preset, in the platform’s days', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await pickPreset(page, '创建时间', '今天');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page).toHaveURL(/createDateRange=/);
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format(new Date());
  const sent = new URL(page.url()).searchParams.getAll('createDateRange');
  expect(sent).toEqual([`${today} 00:00:00`, `${today} 23:59:59`]);
  await page.reload();
  await expect(page.getByLabel('创建时间').first()).toHaveValue(`${today} 00:00:00`);
});

test('what glides comes to where it belongs: a picker, a form and a question', async ({
  operatorPage: page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/main/pms/role');
  await pickPreset(page, '创建时间', '今天');
  await page.getByRole('button', { name: '新增' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('角色名称').fill('gliding');
  await form.getByRole('button', { name: '取消' }).click();
  await form.getByRole('button', { name: '放弃' }).click();
  await expect(form).toBeHidden();
});

test('a menu stays while something else scrolls, and goes when its row is scrolled away', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/withdraw-record?status=PROCESSING&pageSize=50');
  await page.getByRole('button', { name: /^标记/ }).first().click();
  const menu = page.getByRole('dialog').getByRole('button', { name: '已打款' });
  await expect(menu).toBeVisible();
  // The word of a scroll that came before the click, and one of another part.
  await page.evaluate(async () => {
    for (const part of ['.list-box', '.shell-content', 'nav'])
      document.querySelector(part)?.dispatchEvent(new Event('scroll'));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await expect(menu).toBeVisible();
  await page.locator('.list-box').evaluate((box) => box.scrollBy(60, 60));
  await expect(menu).toHaveCount(0);
});

test('a double click sends once', async ({ operatorPage: page }) => {
  const name = `double${Date.now().toString(36)}`;
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/pms/role/add') && sent.push(request.url()));
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  await page.getByRole('dialog').getByLabel('角色名称').fill(name);
  await page.getByRole('dialog').getByLabel('角色标识').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: '提交' }).dblclick();
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1);
  expect(sent).toHaveLength(1);
});

test('calls lock the screen at once and say so; every call names its language', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await page.getByRole('cell', { name: '超级管理员' }).waitFor();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/pms/role/list', async (route) => {
    expect(route.request().headers()['accept-language']).toBe('zh_CN');
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page.getByText('努力加载中...')).toBeVisible();
  letGo();
  await expect(page.getByText('努力加载中...')).toBeHidden();
});

test('a form is dragged by its title, never out of the window, and closed by Escape', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('角色名称')).toBeFocused();
  const title = dialog.getByText('编辑', { exact: true });
  const start = await title.boundingBox();
  if (!start) throw new Error('the title is not there');
  await page.mouse.move(start.x + 10, start.y + 10);
  await page.mouse.down();
  await page.mouse.move(start.x - 90, start.y - 40, { steps: 5 });
  // It is drawn with the next frame.
  const moved = async () => Math.round(((await title.boundingBox())?.x ?? 0) - start.x);
  await expect.poll(moved).toBe(-100);
  await page.mouse.move(-500, -500, { steps: 5 });
  await page.mouse.up();
  const last = await title.boundingBox();
  expect(Math.min(last?.x ?? -1, last?.y ?? -1)).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a deletion asks first; Escape leaves everything as it was, and the keyboard where it was', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  const remove = page.getByRole('row', { name: '超级管理员' }).getByRole('button', { name: '删除' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: '删除' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(remove).toBeFocused();
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
});
