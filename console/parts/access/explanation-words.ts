import type { Explanation, Verdict } from '#contract/explanations.ts';
import { nameOfRow, type Tone } from '../../kit/form/index.ts';

export const verdictTones: Readonly<Record<Verdict, Tone>> = { ALLOWED: 'good', PART: 'warn', DENIED: 'bad' };

type Of = Explanation['opens'][number];
const rolesText = (roles: Of['roles']): string =>
  roles.map((role) => `“${nameOfRow('role', role)}”`).join('、');

/** What opens it, or would, one sentence each. */
export function reasonsOf({ verdict, refusal, opens, missing, demands }: Explanation): string[] {
  const opened = opens.map(
    ({ menu, roles, pattern }) => `角色${rolesText(roles)}的菜单“${menu}”${pattern ? `（${pattern}）` : ''}`,
  );
  const wanted = missing.map(
    ({ menu, roles, pattern }) =>
      `缺少菜单“${menu}”${pattern ? `（${pattern}）` : ''}${roles.length > 0 ? `，拥有它的角色：${rolesText(roles)}` : '，没有角色拥有它'}`,
  );
  const anybody = verdict === 'ALLOWED' && opened.length === 0 ? ['所有登录的操作员'] : [];
  return [...(refusal ? [refusal] : []), ...anybody, ...opened, ...wanted, ...demands];
}
