import { bumpEpoch, nobodyTouched } from '#server/access/access-events.ts';
import type { Granted } from '#server/access/access-store.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import type { ParamKey } from '#server/params/known-params.ts';
import { accessChanges, accessNow, releasing } from './access-changes.ts';
import { resetsOf } from './account-resets.ts';

const COMES_TO_RELEASE = '将有复核权限';

/** What in a change from what was to what is needs somebody else, as far as this operator goes. */
function difference(before: Granted | undefined, after: Granted | undefined): string | undefined {
  const [had, has] = [releasing(before), releasing(after)];
  if (had.some((right) => !has.includes(right))) return '将失去复核权限';
  if (has.some((right) => !had.includes(right))) return COMES_TO_RELEASE;
  if (before && after?.menus.some(({ urlExpression }) => !before.operator.covers(urlExpression)))
    return '将有更多权限';
  return undefined;
}

const MOST_NAMED = 3;

/** So many by their names, of more how many they are; all names stand with what changes for each of them. */
function told(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map((name) => `“${name}”`);
  return names.length > MOST_NAMED ? `${named.join('、')}等 ${names.length} 名操作员` : named.join('、');
}

/** Rights that grow, and rights to release that come or go, for whomever a change of roles, menus or operators means them. */
export const rightsOfOthers: ApprovalRule = async (db) => {
  // Nobody else changes who may do what between the two looks.
  await bumpEpoch(db, nobodyTouched);
  const before = await accessNow(db);
  return async () => {
    const after = await accessNow(db);
    const ids = new Set([...before.operators.keys(), ...after.operators.keys()]);
    const found = [...ids].flatMap((id) => {
      const [former, present] = [before.operators.get(id), after.operators.get(id)];
      const what = difference(former, present);
      return what ? [{ id, what, name: (present ?? former)?.operator.userName ?? '' }] : [];
    });
    const words = [...Map.groupBy(found, ({ what }) => what)].map(
      ([what, all]) => told(all.map(({ name }) => name)) + what,
    );
    const releasers = found.filter(({ what }) => what === COMES_TO_RELEASE).map(({ id }) => id);
    const why = [...words, ...(await resetsOf(db, releasers))].join('；');
    return { why: why || undefined, access: accessChanges(before, after) };
  };
};

/**
 * What opens the account of somebody who may release: their password, their key. Also while it is disabled: it is enabled with what was set
 * meanwhile, of which whoever releases that is told nothing.
 */
export const releasersAccount: ApprovalRule<{ id: number }> = async (db, { id }) => {
  await bumpEpoch(db, nobodyTouched);
  const target = (await accessNow(db)).operators.get(id);
  return target && releasing({ ...target, disabled: false }).length > 0
    ? `“${target.operator.userName}”有复核权限`
    : undefined;
};

/** How long sources must be silent before a result is entered by hand, and how long it waits for them: without either, that is choosing one. */
const ofEntries: readonly string[] = ['bet.entrySilentMinutes', 'bet.entryWaitMinutes'] satisfies ParamKey[];

/** The rules themselves: whether calls wait, for how long, and from which amount on; and what bounds results entered by hand. */
export const approvalParameters: ApprovalRule<{ key: string }> = async (_db, { key }) => {
  if (key.startsWith('approval.')) return '复核的参数一律须复核';
  return ofEntries.includes(key) ? '人工录入开奖结果的参数一律须复核' : undefined;
};
