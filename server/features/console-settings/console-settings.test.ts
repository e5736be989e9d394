import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { saveLanguage } from '#contract/console-settings.ts';
import { deleteOperator } from '#contract/operators.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const languageOf = async (username: string) =>
  (await server.anonymous.call(login, { username, password: PASSWORD })).envelope.data?.language;

it('an operator who signs in is told the language they chose last, wherever it was', async () => {
  const [one, other] = [await buildOperator(server.db), await buildOperator(server.db)];
  expect(await languageOf(one.username)).toBeUndefined();
  const client = await server.as(one.username, PASSWORD);
  for (const language of ['en', 'zh', 'en'] as const) {
    expect((await client.call(saveLanguage, { language })).envelope).toMatchObject({ success: true });
    expect(await languageOf(one.username)).toBe(language);
  }
  expect(await languageOf(other.username)).toBeUndefined();
  const wrong = await client.call(saveLanguage, { language: 'fr' as 'en' });
  expect(wrong.envelope).toMatchObject({ success: false, msg: '界面语言不是可选的值' });
  expect(await languageOf(one.username)).toBe('en');
});

it('is nothing that the change record tells, and goes with its operator', async () => {
  const { id, username } = await buildOperator(server.db);
  const client = await server.as(username, PASSWORD);
  await client.call(saveLanguage, { language: 'en' });
  const admin = await server.admin();
  const told = await admin.call(pageChangeRecords, { userName: username });
  expect(told.envelope.data?.totalCount).toBe(0);
  expect((await admin.call(deleteOperator, { id })).envelope.success).toBe(true);
  expect(
    await server.db.selectFrom('operator_language').where('operatorId', '=', id).selectAll().execute(),
  ).toEqual([]);
});
