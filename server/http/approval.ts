import type { ApprovalRuleName } from '#contract/approval-rules.ts';
import { releasesOf } from '#contract/endpoint.ts';
import { blindnessOf, codeAsked, mayWait } from '#server/access/verdict.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import type { Call, RunnableCall, Services } from './call.ts';
import { recordableInput, targetOf } from './change-record.ts';
import { contextOf, type Told } from './context.ts';
import type { ApprovalRule } from './handler.ts';
import { type Preview, previewOf } from './preview.ts';
import { type Asked, askedOf } from './rerun.ts';
import { demandFreshCode } from './step-up.ts';

/** Every rule by its name. */
export type ApprovalRules = { readonly [N in ApprovalRuleName]: ApprovalRule };

/** Thrown to undo what a call has done so far, because somebody else must release it first. */
export class Withheld extends Error {
  readonly asked: Asked;
  readonly preview: Preview;

  constructor(asked: Asked, preview: Preview) {
    super(asked.why);
    this.asked = asked;
    this.preview = preview;
  }
}

/** How the frame finds out whether a call needs a second operator. */
export interface Guard {
  /** To be called before the call's work; the function that it returns, after it. That one throws `Withheld` or `stepUpNeeded`. */
  watch(tx: Db): Promise<(told: Told) => Promise<void>>;
  /** Whether the call may need one, as far as can be told before its work. */
  suspects(db: Db): Promise<boolean>;
}

/** The guard of a call; undefined for one that takes effect by itself. Throws `approvalSeesTooMuch` when its maker may see what they must not. */
export async function guardOf(services: Services, call: Call): Promise<Guard | undefined> {
  const { endpoint, operator, input } = call;
  if (!endpoint.approval) return undefined;
  const blindness = blindnessOf(endpoint, operator);
  if (blindness) throw blindness;
  const enforced = mayWait(endpoint, await services.approvals.enforced());
  call.waits = enforced;
  // Where a fresh code has been demanded of all such calls, there is nothing to find out.
  if (!enforced && codeAsked(endpoint, operator) !== 'sometimes') return undefined;
  return {
    suspects: async (db) => {
      const rules = releasesOf(endpoint).map(({ when }) => services.approvals.rules[when]);
      for (const rule of rules) if (await rule(db, input as never, operator)) return true;
      return false;
    },
    watch: async (tx) => {
      const ask = await askedOf(services, call, tx);
      return async (told) => {
        const [asked, other] = await ask(told.rows ?? []);
        if (!asked) return;
        await demandFreshCode(tx, operator);
        if (!enforced) return;
        if (other) throw new Refusal('approvalTwofold', { values: { one: asked.why, other: other.why } });
        throw new Withheld(asked, await previewOf(tx, told, asked.access));
      };
    },
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Stores a call with its preview, to be released by somebody else; gives its number. */
export async function storeApproval(
  services: Services,
  tx: Db,
  call: RunnableCall,
  { asked: { why, by: release }, preview }: Withheld,
): Promise<number> {
  const { endpoint, operator, input, name, raw, address, agent } = call;
  if (!endpoint.approval) throw new Error(`${name} needs no approval`);
  const { before, after, access, digest, targetId } = preview;
  return services.approvals.keep(contextOf(services, call, tx, {}), {
    ...{ call: name, summary: endpoint.summary, release, why, before, after, access, digest },
    ...{ raw, input: recordableInput(endpoint, input), address, agent, operator },
    reason: textOf(input.reason) ?? textOf(input.remark),
    targetId: targetOf({ endpoint, input, targetId }),
  });
}
