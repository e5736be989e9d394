import type { MissingRight } from '#contract/missing-right.ts';
import { mayOpen } from './menu-tree.ts';
import { givenMenus } from './rights.ts';
import { readMenus, readOperatorName } from './session.ts';
import { told } from './told.ts';

/** Where a toast leads that says more than it can. */
export interface More {
  readonly href: string;
  readonly text: string;
}

const OPERATORS = '/main/pms/operator';

/** What a refusal for want of a right says of it; nothing where it says nothing. */
export function missingRightIn(body: unknown): MissingRight | undefined {
  const data: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
  if (typeof data !== 'object' || data === null || !('call' in data) || !('needs' in data)) return undefined;
  const { call, needs } = data;
  return typeof call === 'string' && Array.isArray(needs) ? { call, needs: needs.map(String) } : undefined;
}

/** The rights any of which was wanted, in a sentence. */
export const needsText = (needs: readonly string[]): string =>
  needs.length === 0 ? '' : `需要权限：${needs.map((right) => told(right)).join(' 或 ')}`;

/** The explanation of why somebody cannot do this, for whoever may read it. */
export const whyHref = (target: string): string | undefined =>
  mayOpen(givenMenus() ?? readMenus() ?? [], OPERATORS)
    ? `${OPERATORS}?${new URLSearchParams({ userName: readOperatorName(), why: target })}`
    : undefined;
