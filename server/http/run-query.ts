import type { EndpointName } from '#contract/all.ts';
import type { Db } from '#server/db/database.ts';
import type { Call, RunnableCall, Services } from './call.ts';
import { contextOf } from './context.ts';
import { type Answer, success } from './reply.ts';

/** What a query answers when it reads from this database, or inside this transaction. */
export const queryOn = (
  services: Services,
  call: Call & Pick<RunnableCall, 'run'>,
  db: Db,
): Promise<unknown> => call.run(contextOf(services, call, db, {}));

/**
 * Never from a replica, however sure it is of having everything: money that somebody acts upon at once, and what is done and undone to
 * tell what it would be.
 */
const ofPrimary: readonly EndpointName[] = ['getUserBalance', 'pageAccounts', 'previewDrawPlans'];

/** Runs a query. */
export async function runQuery(services: Services, call: RunnableCall): Promise<Answer> {
  const { query, fromPrimary } = services.reads;
  const read = call.endpoint.access === 'platform' || ofPrimary.includes(call.name) ? fromPrimary : query;
  return success(await read((db) => queryOn(services, call, db)), null);
}
