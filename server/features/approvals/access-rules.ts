import { releaseRights } from '#contract/screens.ts';
import { bumpEpoch, nobodyTouched } from '#server/access/access-events.ts';
import { type Granted, listGranted } from '#server/access/access-store.ts';
import type { Db } from '#server/db/database.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import type { ParamKey } from '#server/params/known-params.ts';
import { mayRelease } from './who-releases.ts';

const releasing = (granted: Granted | undefined) =>
  granted && !granted.disabled ? releaseRights.filter((right) => mayRelease(granted.operator, right)) : [];

async function granted(db: Db): Promise<Map<number, Granted>> {
  return new Map((await listGranted(db)).map((each) => [each.operator.id, each]));
}

/** Why a change from what was to what is needs somebody else, as far as this operator goes. */
function difference(before: Granted | undefined, after: Granted | undefined): string | undefined {
  const name = (after ?? before)?.operator.userName ?? '';
  const [had, has] = [releasing(before), releasing(after)];
  if (had.some((right) => !has.includes(right))) return `“${name}”将失去复核权限`;
  if (has.some((right) => !had.includes(right))) return `“${name}”将有复核权限`;
  if (before && after?.expressions.some((expression) => !before.operator.covers(expression)))
    return `“${name}”将有更多权限`;
  return undefined;
}

/** Rights that grow, and rights to release that come or go, for whomever a change of roles, menus or operators means them. */
export const rightsOfOthers: ApprovalRule = async (db) => {
  // Nobody else changes who may do what between the two looks.
  await bumpEpoch(db, nobodyTouched);
  const before = await granted(db);
  return async () => {
    const after = await granted(db);
    const ids = new Set([...before.keys(), ...after.keys()]);
    return [...ids].map((id) => difference(before.get(id), after.get(id))).find((why) => why !== undefined);
  };
};

/** What opens the account of somebody who may release: their password, their key. */
export const releasersAccount: ApprovalRule<{ id: number }> = async (db, { id }) => {
  await bumpEpoch(db, nobodyTouched);
  const target = (await granted(db)).get(id);
  return target && releasing(target).length > 0 ? `“${target.operator.userName}”有复核权限` : undefined;
};

/** How long sources must be silent before a result is entered by hand, and how long it waits for them: without either, that is choosing one. */
const ofEntries: readonly string[] = ['bet.entrySilentMinutes', 'bet.entryWaitMinutes'] satisfies ParamKey[];

/** The rules themselves: whether calls wait, for how long, and from which amount on; and what bounds results entered by hand. */
export const approvalParameters: ApprovalRule<{ key: string }> = async (_db, { key }) => {
  if (key.startsWith('approval.')) return '复核的参数一律须复核';
  return ofEntries.includes(key) ? '人工录入开奖结果的参数一律须复核' : undefined;
};
