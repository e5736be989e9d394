import { contract, isEndpointName } from '#contract/all.ts';
import { type AnyEndpoint, releasesOf } from '#contract/endpoint.ts';
import type { ReleaseRight } from '#contract/screens.ts';
import { mayMake } from '#server/access/call-path.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { type RowNote, watched } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import type { Call, Services } from './call.ts';
import { recordChange } from './change-record.ts';
import { contextOf, recordOf, type Told } from './context.ts';
import { refusalOf } from './database-failures.ts';
import { type ApprovalRule, type Context, type Finding, unwrap } from './handler.ts';
import { checkedInput } from './input.ts';
import { type Preview, previewOf } from './preview.ts';

/** A stored call, to be run later in its maker's name. */
export interface StoredCall {
  readonly call: string;
  readonly raw: object;
  readonly maker: SignedIn;
  readonly address: string;
  readonly agent: string;
}

/** What a stored call did when it was run: its answer, its changes, and why it would need a second operator if made now. */
export interface Performed extends Preview {
  readonly answer: unknown;
  readonly why: string | undefined;
}

/** Runs a stored call inside a transaction with the rights its maker has now, and records it in the maker's name. */
export type Rerun = (tx: Db, maker: SignedIn, msg: string) => Promise<Performed>;

/** Turns a refusal of the stored call into `approvalFails`, with its sentence. */
async function failing<T>(call: Call, work: Promise<T> | T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const refusal = refusalOf(error, call);
    if (!refusal || refusal.status >= 500) throw error;
    throw new Refusal('approvalFails', { values: { message: refusal.message } });
  }
}

/** What a rule found that needs a second operator, and what whoever releases it must hold. */
export interface Asked extends Finding {
  readonly why: string;
  readonly by: ReleaseRight;
}

/** Asks the approval rules of a call before its work; the function that it returns asks them again after it. */
export async function askedOf(
  { approvals }: Services,
  { endpoint, input, operator }: Pick<Call, 'endpoint' | 'input' | 'operator'>,
  tx: Db,
) {
  const asking: { by: ReleaseRight; told: Awaited<ReturnType<ApprovalRule>> }[] = [];
  for (const { when, by } of releasesOf(endpoint))
    asking.push({ by, told: await approvals.rules[when](tx, input as never, operator) });
  return async (rows: readonly RowNote[]): Promise<Asked[]> => {
    const asked: Asked[] = [];
    for (const { by, told } of asking) {
      const found = typeof told === 'function' ? await told(rows) : told;
      const { why, ...more } = typeof found === 'object' ? found : { why: found };
      if (why) asked.push({ why, by, ...more });
    }
    return asked;
  };
}

/** Prepares a stored call: checks its input by today's rules, and does slow work before any transaction begins. */
export async function rerunOf(services: Services, stored: StoredCall, now: Date): Promise<Rerun> {
  const { call: name, raw, address, agent } = stored;
  if (!isEndpointName(name)) throw new Refusal('approvalFails', { values: { message: '此操作已不存在' } });
  const endpoint: AnyEndpoint = contract[name];
  const { handle, prepare } = unwrap(services.handlers[name]);
  const calling = (operator: SignedIn, input: unknown): Call => ({
    ...{ name, endpoint, address, agent, now, operator, idempotencyKey: undefined, waits: true },
    input: input as Record<string, unknown>,
  });
  const input = await failing(
    calling(stored.maker, {}),
    Promise.try(() => checkedInput(endpoint, raw)),
  );
  const first = calling(stored.maker, input);
  const given = input as Parameters<typeof handle>[1];
  const run = prepare
    ? await failing(first, prepare(contextOf(services, first, services.db, {}), given))
    : async (context: Context) => handle(context, given);
  return async (tx, maker, msg) => {
    if (!mayMake(maker, endpoint, raw as Record<string, unknown>)) throw new Refusal('approvalMakerBarred');
    const call = calling(maker, input);
    const rows = watched(tx);
    const told: Told = { rows };
    const ask = await askedOf(services, call, tx);
    const answer = await failing(call, run(contextOf(services, call, tx, told)));
    const asked = await ask(rows);
    const preview = await previewOf(tx, told, asked.find(({ access }) => access)?.access);
    await recordChange(tx, recordOf(call, told, 'SUCCESS', msg));
    // Prepared with one reason, it is not released with two.
    return { ...preview, answer, why: asked.map(({ why }) => why).join('；') || undefined };
  };
}
