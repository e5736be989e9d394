import { type BrowserContext, test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { LANGUAGE_COOKIE } from '#contract/language.ts';
import { listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { given } from '#server/testing/given.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';
import { newOperator } from './operators.ts';
import { firstOperator, platformKey } from './server.ts';

type Operator = typeof firstOperator;

interface Fixtures {
  /** Complaints of the browser that a test provokes on purpose, such as `/status of 403/`. */
  allowedComplaints: readonly RegExp[];
  /** An empty page in a session of the first operator, who may do everything. */
  operatorPage: Page;
  /** The same of an operator of this test alone, for what is kept for an operator. */
  ownPage: Page;
}

const origin = (): string => process.env.CONSOLE_ORIGIN ?? '';

async function begin(operator: Operator, at: string) {
  const { envelope } = await testClient(at).call(login, operator);
  if (!envelope.data) throw new Error(`${operator.username} cannot sign in: ${envelope.msg}`);
  return envelope.data;
}

/** A session over the wire, for what a test needs and does not look at. */
export const clientOf = async (operator: Operator = firstOperator, at = origin()): Promise<TestClient> =>
  testClient(at, (await begin(operator, at)).access_token);

/** The players' site. */
export const site = (at = origin()): TestClient => testClient(at, platformKey);

/**
 * Gives a window a session of its own, as if the operator had signed in there before: the login page has tests of its own. `at` is the server
 * as the browser names it, `server` as we do.
 */
export async function giveSession(
  context: BrowserContext,
  operator: Operator,
  at = origin(),
  server = origin(),
): Promise<void> {
  const session = JSON.stringify({ ...(await begin(operator, server)), operator: operator.username });
  await context.setStorageState({
    cookies: [],
    origins: [{ origin: at, localStorage: [{ name: 'token', value: session }] }],
  });
}

/** Has a browser ask for the English console. */
export const speakEnglish = (context: BrowserContext, baseURL = '') =>
  context.addCookies([{ name: LANGUAGE_COOKIE, value: 'en', url: baseURL }]);

/** Fills in the login page as a person would. */
export async function signIn(page: Page, { username, password }: Operator) {
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(username);
  await page.getByLabel('登录密码').fill(password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/\/main\//);
}

const complaintOf = (message: ConsoleMessage): string | undefined =>
  ['error', 'warning'].includes(message.type()) ? `${message.text()} (${message.location().url})` : undefined;

/**
 * Every page fails its test on a console error or warning, an uncaught error, a violation of the content security
 * policy (which Chromium reports on the console) or an unexpected dialog.
 */
export const test = base.extend<Fixtures>({
  allowedComplaints: [[], { option: true }],
  context: async ({ context, allowedComplaints }, use) => {
    const complaints: string[] = [];
    const complain = (text: string | undefined) => {
      if (text && !allowedComplaints.some((allowed) => allowed.test(text))) complaints.push(text);
    };
    context.on('console', (message) => complain(complaintOf(message)));
    context.on('weberror', (error) => complain(String(error.error())));
    context.on('dialog', async (dialog) => {
      complain(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    await use(context);
    expect(complaints, 'complaints of the browser').toEqual([]);
  },
  page: async ({ page }, use, test) => {
    await use(page);
    // A build server keeps nothing but what was printed: what the page showed is often all there is to go by.
    if (test.status === test.expectedStatus || page.isClosed()) return;
    const shown = page.getByRole('dialog').or(page.getByRole('alert'));
    const texts = await shown.allTextContents().catch(() => []);
    process.stdout.write(
      `${test.title}\n  ${page.url()}\n${texts.map((text) => `  ${JSON.stringify(text)}\n`).join('')}`,
    );
  },
  operatorPage: async ({ page, context, baseURL }, use) => {
    await giveSession(context, firstOperator, baseURL);
    await use(page);
  },
  ownPage: async ({ page, context, baseURL }, use) => {
    await giveSession(context, await newAdministrator(), baseURL);
    await use(page);
  },
});

/** An operator who may do everything. */
export async function newAdministrator(): Promise<Operator> {
  const admin = await clientOf();
  const roles = given((await admin.call(listRoles, { name: 'administrator' })).envelope.data);
  return newOperator(
    admin,
    roles.map(({ id }) => id),
  );
}

export { expect } from '@playwright/test';
export { firstOperator } from './server.ts';
