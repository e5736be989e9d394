import type { AccessChange } from '#contract/approvals.ts';
import { buttons, releaseRights } from '#contract/screens.ts';
import { type Granted, listGranted } from '#server/access/access-store.ts';
import { patternsOf } from '#server/access/ant-pattern.ts';
import type { Db } from '#server/db/database.ts';
import { mayRelease } from './who-releases.ts';

/** Who may do what at a moment, and what the menus are called that let them. */
export interface Access {
  readonly operators: ReadonlyMap<number, Granted>;
  readonly titles: ReadonlyMap<number, string>;
}

export async function accessNow(db: Db): Promise<Access> {
  const operators = new Map((await listGranted(db)).map((each) => [each.operator.id, each]));
  const menus = await db.selectFrom('menu').select(['id', 'title']).execute();
  return { operators, titles: new Map(menus.map(({ id, title }) => [id, title])) };
}

/** What somebody may release; nothing while they are disabled. */
export const releasing = (granted: Granted | undefined) =>
  granted && !granted.disabled ? releaseRights.filter((right) => mayRelease(granted.operator, right)) : [];

/** Each thing that somebody may do, in words; whoever is disabled may do nothing beside what they may once they are not. */
function wordsOf(granted: Granted | undefined, other: Granted | undefined, titles: Access['titles']) {
  const words = new Map<string, string>();
  if (!granted || (granted.disabled && other?.disabled === false)) return words;
  for (const right of releasing(granted)) {
    const title = buttons.find(({ code }) => code === right)?.title ?? right;
    words.set(right, `放行权：${title}`);
  }
  for (const { id, urlExpression } of granted.menus)
    for (const pattern of patternsOf(urlExpression))
      if (!words.has(pattern)) words.set(pattern, `${titles.get(id) ?? id}：${pattern}`);
  return words;
}

const beyond = (own: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...own].flatMap(([key, words]) => (other.has(key) ? [] : [words]));

/** What everybody may do by now and could not before, and the reverse. */
export function accessChanges(before: Access, after: Access): AccessChange[] {
  const ids = new Set([...before.operators.keys(), ...after.operators.keys()]);
  return [...ids].flatMap((id) => {
    const [former, present] = [before.operators.get(id), after.operators.get(id)];
    const had = wordsOf(former, present, before.titles);
    const has = wordsOf(present, former, after.titles);
    const [gained, lost] = [beyond(has, had), beyond(had, has)];
    const userName = (present ?? former)?.operator.userName ?? '';
    return gained.length + lost.length > 0 ? [{ operatorId: id, userName, gained, lost }] : [];
  });
}
