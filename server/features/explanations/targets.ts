import { contract, type EndpointName, isEndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Explanation } from '#contract/explanations.ts';
import { placesOf } from '#contract/missing-right.ts';
import {
  buttons,
  opensRoute,
  pathOfRight,
  type ReleaseRight,
  releaseRights,
  screens,
} from '#contract/screens.ts';
import { type Opening, openingsOf } from '#server/access/rights.ts';
import type { MenuRow } from '../menus/menu-store.ts';

type Told = Pick<Explanation, 'target' | 'kind' | 'title' | 'place'>;

/** What may be asked about: a screen, a call, or a right to release what others prepared. */
export type Target = { readonly told: Told } & (
  | { readonly route: string }
  | { readonly name: EndpointName; readonly endpoint: AnyEndpoint }
  | { readonly right: ReleaseRight }
);

const ofScreens: Target[] = screens.map(({ path, folder, title }) => ({
  told: { target: path, kind: 'SCREEN', title, place: folder },
  route: path,
}));

const ofCalls: Target[] = Object.entries<AnyEndpoint>(contract).flatMap(([name, endpoint]) => {
  const isAsked = endpoint.access === 'signed-in' || typeof endpoint.access === 'object';
  if (!isAsked || !isEndpointName(name)) return [];
  const place = placesOf(endpoint).join('、') || '所有操作员';
  return [{ told: { target: name, kind: 'CALL', title: endpoint.summary, place }, name, endpoint }];
});

const ofRights: Target[] = releaseRights.map((right) => ({
  told: {
    ...{ target: right, kind: 'RELEASE', place: '系统管理 / 待复核' },
    title: buttons.find(({ code }) => code === right)?.title ?? right,
  },
  right,
}));

/** Every screen, call and right that operators may have or lack. */
export const targets: readonly Target[] = [...ofScreens, ...ofCalls, ...ofRights];

/** What of these menus opens a target, and by which pattern; a screen is opened by having its route, which is no pattern. */
export function openings<M extends MenuRow>(
  target: Target,
  menus: readonly M[],
): readonly (Omit<Opening<M>, 'pattern'> & { readonly pattern: string | null })[] {
  if ('route' in target)
    return menus
      .filter((menu) => opensRoute(menu, target.route))
      .map((menu) => ({ menu, pattern: null, whole: true }));
  if ('right' in target) return openingsOf(menus, pathOfRight(target.right));
  return typeof target.endpoint.access === 'object' ? openingsOf(menus, target.endpoint.path) : [];
}
