import { setTimeout as sleep } from 'node:timers/promises';
import { approvalIdOf, pageApprovals, releaseApproval } from '#contract/approvals.ts';
import type { Db } from '#server/db/database.ts';
import type { ParamKey } from '#server/params/known-params.ts';
import { allGrants, buildOperator, PASSWORD } from './build-operator.ts';
import type { TestClient } from './test-client.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** Servers remember for half a second whether approvals are in force. */
const HEARD_MS = 510;

/** Sets a parameter by the database, so that the switch itself is not in the way; it is in force on every server when this ends. */
export async function setParam(db: Db, key: ParamKey, value: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('param_setting')
    .set({ value })
    .where('key', '=', key)
    .where('value', '!=', value)
    .executeTakeFirst();
  if (key === 'approval.enabled' && numUpdatedRows > 0n) await sleep(HEARD_MS);
}

/** Somebody with full rights, signed in. */
export async function fullOperator(server: TestServer, username?: string) {
  const grants = await allGrants(server.db);
  const operator = await buildOperator(server.db, { grants, ...(username ? { username } : {}) });
  return { ...operator, client: await server.as(operator.username, PASSWORD) };
}

/** A server where approvals are in force, with two who may do everything: what the first does, `release` lets take effect as the second. */
export async function startApproving() {
  const server = await startTestServer();
  const admin = await server.admin();
  const second = await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  return {
    server,
    admin,
    second,
    release: async (id: number) => (await second.client.call(releaseApproval, { id })).envelope,
    /** Why a call waits, as whoever made it is told. */
    whyOf: async (id: number) => (await approvalSeenBy(admin, id)).why,
  };
}

/** The number a call waits under; throws where it did not wait. */
export function waiting({ envelope }: { envelope: { data: unknown; msg: string | null } }): number {
  const id = approvalIdOf(envelope.data);
  if (id === undefined) throw new Error(`not submitted: ${JSON.stringify(envelope)}`);
  return id;
}

/** How an approval stands now, as somebody sees it. */
export async function approvalSeenBy(client: TestClient, id: number) {
  const { data } = (await client.call(pageApprovals, { id })).envelope;
  const [row] = data?.data ?? [];
  if (!row) throw new Error(`no approval ${id}`);
  return row;
}
