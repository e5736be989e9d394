import { addGameCategory } from '../contract/game-categories.ts';
import { addGame } from '../contract/games.ts';
import { addNews, updateNews } from '../contract/news.ts';
import { addNewsCategory, deleteNewsCategory } from '../contract/news-categories.ts';
import { addUser } from '../contract/users.ts';
import type { TestClient } from '../server/testing/test-client.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { rows } from './forms.ts';
import { limited } from './limited.ts';
import { unique } from './unique.ts';

const idOf = ({ envelope }: { envelope: { data: number | null; msg: string | null } }): number => {
  if (envelope.data === null) throw new Error(String(envelope.msg));
  return envelope.data;
};

async function game(client: TestClient) {
  const name = unique('链接彩');
  const categoryId = idOf(await client.call(addGameCategory, { name }));
  const numbers = [{ number: '07' }];
  const id = idOf(await client.call(addGame, { name, categoryId, openRate: 300, stopBetSecond: 5, numbers }));
  return { id, name };
}

test('a name in a column leads to its row, and the row to what hangs from it', async ({
  operatorPage: page,
}) => {
  const { id, name } = await game(await clientOf());
  await page.goto(`/main/game/number?gameId=${id}`);
  await rows(page).filter({ hasText: '07' }).getByRole('link', { name }).click();
  await expect(page).toHaveURL(new RegExp(`/main/game/game-page\\?id=${id}$`));
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await page.goto(`/main/game/lottery?name=${encodeURIComponent(name)}`);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('button', { name: '展开' }).click();
  await page.getByRole('navigation', { name: '游戏的内容' }).getByRole('link', { name: '游戏号码' }).click();
  await expect(page).toHaveURL(new RegExp(`/main/game/number\\?gameId=${id}$`));
  await expect(page.getByLabel('游戏', { exact: true })).toBeEnabled();
  await expect(rows(page)).toHaveCount(1);
});

test('the change record names the rows of a change and leads to them, as long as they are there', async ({
  operatorPage: page,
}) => {
  const client = await clientOf();
  const [from, to] = [unique('旧类'), unique('新类')];
  const [old, fresh] = [
    idOf(await client.call(addNewsCategory, { name: from })),
    idOf(await client.call(addNewsCategory, { name: to })),
  ];
  const news = { title: unique('移动'), content: '正文' };
  const id = idOf(await client.call(addNews, { ...news, categoryId: old }));
  await client.call(updateNews, { ...news, id, categoryId: fresh });
  const record = `/main/system/change-record?summary=${encodeURIComponent('编辑新闻')}&targetId=${id}`;

  await page.goto(record);
  await rows(page).first().getByRole('button', { name: '展开' }).click();
  const line = page.getByRole('row', { name: /新闻分类（categoryId）/ }).last();
  await expect(line.getByRole('cell')).toHaveText([to, from, to]);
  await line.getByRole('link', { name: to }).last().click();
  await expect(page).toHaveURL(/\/main\/news\/category$/);
  await expect(rows(page).filter({ hasText: to })).toHaveCount(1);

  await client.call(deleteNewsCategory, { id: old });
  await page.goto(record);
  await rows(page).first().getByRole('button', { name: '展开' }).click();
  await expect(line.getByRole('cell')).toHaveText([to, String(old), to]);
});

test('whoever may not open the other screen reads plain text', async ({ browser, baseURL }) => {
  const client = await clientOf();
  const { id, name } = await game(client);
  const user = idOf(await client.call(addUser, { nickName: unique('玩家') }));
  const page = await limited(browser, client, baseURL, ['/main/game/number', '/main/user/account']);

  await page.goto(`/main/game/number?gameId=${id}`);
  const number = rows(page).filter({ hasText: '07' });
  await expect(number.getByRole('cell').first()).toHaveText(name);
  await expect(number.getByRole('link')).toHaveCount(0);

  await page.goto(`/main/user/account?userId=${user}`);
  // Behind the cell that opens the row.
  await expect(rows(page).getByRole('cell').nth(1)).toHaveText(String(user));
  await expect(rows(page).getByRole('link')).toHaveCount(0);
  await page.context().close();
});

test('a player is found by a part of the name where a number is asked for', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/account');
  await expect(rows(page).first()).toBeVisible();
  const usernames = await rows(page).locator('td:nth-child(3)').allInnerTexts();
  const username = usernames.find((text) => text.length > 3) ?? '';
  const field = page.getByLabel('用户编号');
  await field.fill(username.slice(1));
  const offered = page.locator(`datalist option[label*="${username}"]`);
  await expect(offered.first()).toBeAttached();
  const chosen = (await offered.first().getAttribute('value')) ?? '';
  await field.fill(chosen);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page).toHaveURL(new RegExp(`userId=${chosen}$`));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(username);
});
