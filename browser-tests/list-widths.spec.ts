import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { contract } from '#contract/all.ts';
import { reviewDeposit } from '#contract/deposits.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { englishOf } from '#contract/english/texts.ts';
import { type FieldKind, metaOf } from '#contract/fields.ts';
import { addGamePreset } from '#contract/games.ts';
import { takeOrder } from '#contract/money-desk.ts';
import { createUser, placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { listRoles } from '#contract/roles.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { markWithdrawal } from '#contract/withdrawals.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, site, speakEnglish, test } from './fixtures.ts';
import { goTo, listShown, screensWithoutList } from './forms.ts';
import { newOperator } from './operators.ts';

const usual = { width: 1280, height: 800 };
/** A small notebook at 200 % zoom, and a wide desk. */
const rooms = [
  { width: 640, height: 400 },
  { width: 2560, height: 1300 },
];

async function open(page: Page, { path, title }: { path: string; title: string }) {
  await goTo(page, path);
  await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title} `));
}

const tells = (schema: Parameters<typeof metaOf>[0], ...kinds: FieldKind[]) =>
  kinds.some((kind) => metaOf(schema).kind === kind);
const people: readonly unknown[] = ['user', 'operator', 'agent'];
/** What an operator decides by, by what a field of the contract is. */
const questions = {
  who: (schema: Parameters<typeof metaOf>[0]) =>
    people.includes(metaOf(schema).ref) || people.includes(metaOf(schema).names?.noun),
  'how much': (schema: Parameters<typeof metaOf>[0]) => tells(schema, 'money'),
  'in what state': (schema: Parameters<typeof metaOf>[0]) => tells(schema, 'choice', 'flag'),
  when: (schema: Parameters<typeof metaOf>[0]) => tells(schema, 'dateTime'),
};

/** What is told otherwise than by a column of that field. */
const toldElsewhere: Readonly<Record<string, string>> = {
  '/main/pms/online-session': 'in what state', // one’s own session is marked beside its name
  '/main/pms/role': 'in what state', // what outranks its reader says so where its buttons would be
  '/main/system/params-setting': 'in what state', // one that the system reads has no 删除
  '/main/game/open-record': 'in what state', // a conflict is marked beside the result
  '/main/bet/limit': 'when', // a limit holds from when it is entered until it goes
};

/** The questions that a list's rows could answer and its columns do not. */
function unanswered(path: string, summary: string, heads: readonly string[]): string[] {
  const endpoint = Object.values<AnyEndpoint>(contract).find((each) => each.summary === summary);
  if (!endpoint) throw new Error(`no call is called ${summary}`);
  const own = Object.values(shapeOf(rowSchemaOf(endpoint.output)));
  const fields = own.flatMap((schema) => [schema, ...Object.values(shapeOf(schema))]);
  return Object.entries(questions)
    .filter(([, asks]) => {
      const titles = fields.filter(asks).map((schema) => metaOf(schema).title ?? '');
      const isTold = titles.some((title) => heads.some((head) => head !== '' && title.startsWith(head)));
      return titles.length > 0 && !isTold;
    })
    .map(([question]) => question)
    .filter((question) => toldElsewhere[path] !== question);
}

/** What is wrong with the list on screen: too wide, cut off, or silent about what its rows know. */
const look = (page: Page) =>
  page
    .locator('.list-box:visible')
    .first()
    .evaluate((list) => {
      const whole = '.money, .tag, button';
      const cells = [...list.querySelectorAll<HTMLElement>('tbody td')].filter(
        (cell) => cell.matches('.list-moment, .at-end') || cell.querySelector(whole),
      );
      const isCut = (cell: HTMLElement) =>
        cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight + 1;
      const box = list.getBoundingClientRect();
      const inSight = [...list.querySelectorAll('thead th')].filter((head) => {
        const { left, right, width } = head.getBoundingClientRect();
        return width > 0 && left >= box.left - 1 && right <= box.right + 1;
      });
      return {
        label: list.getAttribute('aria-label') ?? '',
        heads: inSight.map((head) => head.getAttribute('title') ?? ''),
        over: list.scrollWidth - list.clientWidth,
        cut: [...new Set(cells.filter(isCut).map((cell) => cell.textContent))].slice(0, 3),
        amounts: cells.length,
      };
    });

const wider = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A withdrawal decided, and another taken, by somebody whose name is as long as names may be. */
async function orderOfLongName() {
  const admin = await clientOf();
  const username = `long-${randomUUID()}`.slice(0, 40);
  const password = 'a name without end';
  const roles = given((await admin.call(listRoles, { name: 'administrator' })).envelope.data);
  const roleIds = roles.map(({ id }) => id);
  const operator = await clientOf(await newOperator(admin, roleIds, { username, password }));
  const userId = given(
    (await site().call(createUser, { nickName: '长名', username: `w${randomUUID().slice(0, 12)}` })).envelope
      .data,
  );
  for (const end of ['decided', 'taken']) {
    const order = { userId, amount: '1234567.89', type: 'THIRD_PARTY', bankOrderNo: randomUUID() } as const;
    const paid = given((await site().call(placeDeposit, order)).envelope.data);
    await operator.call(reviewDeposit, { id: paid, action: 'PASS' });
    const withdrawal = {
      userId,
      amount: '1000',
      bankOrderNo: randomUUID(),
      receiveAccount: { accountNo: '6222' },
    };
    const out = given((await site().call(placeWithdrawal, withdrawal)).envelope.data);
    const ended =
      end === 'decided'
        ? await operator.call(markWithdrawal, { id: out, action: 'REJECT', remark: '太长的名字' })
        : await operator.call(takeOrder, { kind: 'WITHDRAWAL', id: out });
    expect(ended.envelope.success).toBe(true);
  }
}

/** A game with several betting times, each with a pace of its own. */
async function gameOfManyTimes() {
  const admin = await clientOf();
  const { envelope } = await admin.call(addGamePreset, {
    key: 'cqssc',
    name: `时时彩${randomUUID().slice(0, 6)}`,
  });
  expect(envelope.success).toBe(true);
}

/** Has the settlements on screen be those of a game that many bet on. */
const slipsOfBigGame = (page: Page) =>
  page.route('**/api/bet/settlement/page', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const [place, row] of json.data.data.entries())
      Object.assign(row, place % 2 === 0 ? { slips: 12_345, total: 12_345 } : { slips: 12, total: 120 });
    await route.fulfill({ response, json });
  });

test('at 1280 x 800 every list tells who, how much, in what state and when, nothing cut off and nothing moved sideways; from 640 to 2560 pixels no screen is wider than its window', async ({
  operatorPage: page,
}) => {
  await orderOfLongName();
  await gameOfManyTimes();
  await slipsOfBigGame(page);
  await page.goto(openRoutes.overview.path);
  const faults: string[] = [];
  for (const screen of screens) {
    const { path, title } = screen;
    await open(page, screen);
    if (!screensWithoutList.includes(path)) {
      await listShown(page);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/${path.replaceAll('/', '_')}.png` });
      const { label, heads, over, cut, amounts } = await look(page);
      if (over > 0) faults.push(`${title}: ${over}px too wide`);
      if (cut.length > 0) faults.push(`${title}: cut off ${cut.join(' / ')}`);
      for (const question of unanswered(path, label, heads))
        faults.push(`${title}: does not tell ${question}`);
      if (path.startsWith('/main/user/')) expect(amounts, title).toBeGreaterThan(0);
    }
    await expect(page.locator('[aria-busy="true"]:visible')).toHaveCount(0);
    for (const room of [usual, ...rooms]) {
      await page.setViewportSize(room);
      const over = await wider(page);
      if (over > 0) faults.push(`${title}: ${over}px wider than a window of ${room.width}`);
    }
    await page.setViewportSize(usual);
  }
  expect(faults).toEqual([]);
});

test('at 1280 x 800 no list of the English console is cut off or moved sideways', async ({
  operatorPage: page,
  context,
  baseURL,
}) => {
  await orderOfLongName();
  await gameOfManyTimes();
  await slipsOfBigGame(page);
  await speakEnglish(context, baseURL);
  await page.goto(openRoutes.overview.path);
  const faults: string[] = [];
  for (const { path, title } of screens.filter((screen) => !screensWithoutList.includes(screen.path))) {
    await open(page, { path, title: englishOf(title, 'contract/screens.ts') });
    await listShown(page);
    await expect(page.locator('[aria-busy="true"]:visible')).toHaveCount(0);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/en${path.replaceAll('/', '_')}.png` });
    const { over, cut } = await look(page);
    if (over > 0) faults.push(`${path}: ${over}px too wide`);
    if (cut.length > 0) faults.push(`${path}: cut off ${cut.join(' / ')}`);
  }
  expect(faults).toEqual([]);
});
