import type { ScreenPath } from '#contract/screens.ts';
import { listStateParams, type SearchValue } from '../../kit/list/index.ts';

/** The address of a list with this search filled in. */
export function listAddress(path: ScreenPath, filters: Readonly<Record<string, SearchValue>>): string {
  const params = listStateParams({ filters, page: 1, size: 20 });
  return `${path}?${params}`;
}
