import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { firstOperator } from './server.ts';

interface Fixtures {
  /** Complaints of the browser that a test provokes on purpose, such as `/status of 403/`. */
  allowedComplaints: readonly RegExp[];
  /** A page signed in as the first operator, who may do everything. */
  operatorPage: Page;
}

/** Fills in the login page as a person would. */
export async function signIn(page: Page, { username, password }: { username: string; password: string }) {
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
  operatorPage: async ({ page }, use) => {
    await signIn(page, firstOperator);
    await use(page);
  },
});

export { expect } from '@playwright/test';
export { firstOperator } from './server.ts';
