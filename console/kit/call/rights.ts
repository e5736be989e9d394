import { listCurrentMenus, type Menu } from '#contract/menus.ts';
import { mayOpen } from './menu-tree.ts';
import { queryClient, queryKey } from './query-client.ts';

const MENUS = { queryKey: queryKey(listCurrentMenus, {}), exact: true };
/** What is refused within this is refused for the same change of rights. */
const ALIKE_MS = 1_000;
let readAt = Number.NEGATIVE_INFINITY;

/** The menus as the server gave them since this page was loaded. */
export const givenMenus = (): Menu[] | undefined => queryClient.getQueryData<Menu[]>(MENUS.queryKey);

/** Reads the menus again, since rights have changed; once for all that is noticed of it at a time. */
export function readMenusAgain(): void {
  if (performance.now() - readAt < ALIKE_MS) return;
  readAt = performance.now();
  void queryClient.refetchQueries(MENUS, { cancelRefetch: false });
}

/**
 * Whether the screen that a refusal came to is the operator's at all. It may have been drawn by the menus of the last visit, before those
 * of this one are here: then they are waited for.
 */
export async function isGranted(path: string): Promise<boolean> {
  if (!givenMenus()) await queryClient.refetchQueries(MENUS, { cancelRefetch: false });
  const menus = givenMenus();
  return menus === undefined || mayOpen(menus, path);
}
