import type { Browser } from '@playwright/test';
import type { TestClient } from '#server/testing/test-client.ts';
import { giveSession } from './fixtures.ts';
import { newOperator, newRole } from './operators.ts';

/** Signed in as an operator who may open these screens and no other. */
export async function limited(
  browser: Browser,
  client: TestClient,
  baseURL: string | undefined,
  paths: string[],
) {
  const operator = await newOperator(client, [await newRole(client, paths)]);
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  await giveSession(context, operator);
  return context.newPage();
}
