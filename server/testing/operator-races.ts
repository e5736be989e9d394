import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import {
  addOperator,
  cleanGoogleKey,
  disableOperator,
  enableOperator,
  resetGoogleKey,
  resetOperatorPassword,
  updateOperator,
} from '#contract/operators.ts';
import { changePassword } from '#contract/security.ts';
import { setOwnEmail } from '#contract/sign-in-notices.ts';
import { unseen } from '#server/db/rows.ts';
import { meeting } from './meeting.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

const TEMPORARY = 'given by somebody else';

interface Cast {
  readonly id: number;
  /** Somebody who administers operators. */
  readonly admin: TestClient;
  /** The operator in question, with their password. */
  readonly own: TestClient;
  readonly password: string;
}

/** All that writes columns of an operator that others see. */
const acts = {
  rename: ({ admin, id }: Cast) => admin.call(updateOperator, { id, userName: `raced-${randomUUID()}` }),
  disable: ({ admin, id }: Cast) => admin.call(disableOperator, { id }),
  enable: ({ admin, id }: Cast) => admin.call(enableOperator, { id }),
  'reset password': ({ admin, id }: Cast) =>
    admin.call(resetOperatorPassword, { id, password: `given ${randomUUID()}` }),
  'reset key': ({ admin, id }: Cast) => admin.call(resetGoogleKey, { id }),
  'clean key': ({ admin, id }: Cast) => admin.call(cleanGoogleKey, { id }),
  'change own password': ({ own, password: oldPassword }: Cast) => {
    const newPassword = `own ${randomUUID()}`;
    return own.call(changePassword, { oldPassword, newPassword, newConfirm: newPassword });
  },
  'set own address': ({ own, password }: Cast) =>
    own.call(setOwnEmail, { email: `${randomUUID()}@example.com`, password }),
} as const;

const names = Object.keys(acts) as (keyof typeof acts)[];
const pair = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names));

async function nameOf(server: TestServer, id: number): Promise<string> {
  const query = server.db.selectFrom('operator').select('userName').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).userName;
}

/** A session of the operator, who has a password of their own and no key, whatever went before. */
async function ownSession(server: TestServer, admin: TestClient, id: number) {
  await admin.call(enableOperator, { id });
  await admin.call(cleanGoogleKey, { id });
  await admin.call(resetOperatorPassword, { id, password: TEMPORARY });
  const own = await server.as(await nameOf(server, id), TEMPORARY);
  const password = `own ${randomUUID()}`;
  const form = { oldPassword: TEMPORARY, newPassword: password, newConfirm: password };
  expect((await own.call(changePassword, form)).envelope.success).toBe(true);
  return { own, password };
}

/** Throws unless each success took over what the one before it left, and the last one left what is there. */
async function checkChain({ db }: TestServer, id: number): Promise<number> {
  type Fields = Record<string, unknown> | null;
  const lines = await sql<{ call: string; before: Fields; after: Fields }>`
    select call, before, after from change_record
    where "targetId" = ${String(id)} and outcome = 'SUCCESS' order by id`.execute(db);
  let last: Fields = null;
  for (const { call, before, after } of lines.rows) {
    expect(before, call).toEqual(last);
    last = after;
  }
  const row: object = await db
    .selectFrom('operator')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const shown = Object.entries(row).filter(([name]) => !unseen.operator?.includes(name));
  expect(last).toEqual(Object.fromEntries(shown));
  return lines.rows.length;
}

/** Lets two servers do to one operator whatever can be done, two things at once, and looks at what the record says of it. */
export async function raceOperator(one: TestServer, two: TestServer, rounds: number, seed: number) {
  const [first, second] = [await one.admin(), await two.admin()];
  const { envelope } = await first.call(addOperator, {
    userName: `raced-${randomUUID()}`,
    password: 'to begin with it',
  });
  const id = envelope.data;
  if (id === null) throw new Error(String(envelope.msg));
  let successes = 0;
  let meetings = 0;
  for (const [here, there] of fc.sample(pair, { seed, numRuns: rounds })) {
    const { own, password } = await ownSession(one, first, id);
    const { answers, met } = await meeting<{ envelope: { success: boolean } }>(one.db, 'operator', id, () => [
      acts[here]({ id, admin: first, own, password }),
      acts[there]({ id, admin: second, own: two.withToken(own.token), password }),
    ]);
    meetings += met ? 1 : 0;
    successes += answers.filter((answer) => answer.envelope.success).length;
  }
  return { successes, met: meetings, lines: await checkChain(one, id) };
}
