import { endpointsOf, nouns } from './all.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { nounOf } from './nouns.ts';
import type { NounName } from './ref.ts';
import { elementOf, shapeOf } from './row-schema.ts';
import { type ScreenPath, screens } from './screens.ts';

/** A list that can be searched for what belongs to one row. */
export interface DrillDown {
  readonly title: string;
  readonly screen: ScreenPath;
  /** The search field that takes the row's id. */
  readonly field: string;
}

function listBy(title: string, { kind, access, input }: AnyEndpoint, noun: NounName): DrillDown[] {
  const shape = shapeOf(input);
  const screen = typeof access === 'object' ? access.screens[0] : undefined;
  const field = Object.entries(shape).find(([, schema]) => metaOf(schema).ref === noun)?.[0];
  const isList = kind === 'query' && 'currentPage' in shape;
  // What stands on the row's own page is nowhere else to be led to.
  const { page, screen: own } = nounOf(noun);
  const elsewhere = screen !== page;
  // Rows of the same kind that refer to it stand below it.
  const told = screen === own ? `下级${title}` : title;
  return isList && screen && elsewhere && field ? [{ title: told, screen, field }] : [];
}

const places = new Map<string, number>(screens.map(({ path }, place) => [path, place]));

/** In the order of the side bar. */
const inOrder = <L extends { readonly screen: ScreenPath }>(lists: L[]): L[] =>
  lists.sort((one, other) => (places.get(one.screen) ?? 0) - (places.get(other.screen) ?? 0));

/** The lists that hold what belongs to a noun's row: every one whose search takes it. */
export const drillDowns = (noun: NounName): DrillDown[] =>
  inOrder(
    Object.entries(nouns).flatMap(([title, calls]) =>
      endpointsOf(calls).flatMap(([, endpoint]) => listBy(title, endpoint, noun)),
    ),
  );

/** A list that can be searched by what a row is found by itself. */
export interface Related {
  readonly title: string;
  readonly screen: ScreenPath;
  /** The fields, called alike in the row and in the search. */
  readonly fields: readonly string[];
}

/** Lists of other screens that are searched by all that a noun's row is found by, where that is more than one field: of the same phase. */
export function relatedLists(noun: NounName): Related[] {
  const { find: fields, screen: own } = nounOf(noun);
  if (fields.length < 2) return [];
  const lists = Object.entries(nouns).flatMap(([title, calls]) =>
    endpointsOf(calls).flatMap(([, { kind, access, input, output }]) => {
      const shape = shapeOf(input);
      const screen = typeof access === 'object' ? access.screens[0] : undefined;
      const hasRows = 'currentPage' in shape || elementOf(output) !== undefined;
      const isList = kind === 'query' && hasRows && fields.every((field) => field in shape);
      return isList && screen && screen !== own ? [{ title, screen, fields }] : [];
    }),
  );
  return inOrder(lists);
}
