import { z } from 'zod';
import { endpointsOf, nouns } from './all.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { nounEntries, nounOf } from './nouns.ts';
import type { NounName } from './ref.ts';
import { elementOf, rowSchemaOf, shapeOf } from './row-schema.ts';
import { type ScreenPath, screens } from './screens.ts';

/** A list that can be searched for what belongs to one row. */
export interface DrillDown {
  readonly title: string;
  readonly screen: ScreenPath;
  /** The search field that takes the row's id. */
  readonly field: string;
}

const places = new Map<string, number>(screens.map(({ path }, place) => [path, place]));
const titles = new Map<string, string>(screens.map(({ path, title }) => [path, title.replace(/管理$/, '')]));

/** What the list of a screen is called, as the screen is. */
const titleOf = (screen: ScreenPath): string => titles.get(screen) ?? '';

/** The screen that a list of rows stands on; nothing for what is no such list. */
function screenOf({ kind, access, input, output }: AnyEndpoint): ScreenPath | undefined {
  const hasRows = 'currentPage' in shapeOf(input) || elementOf(output) !== undefined;
  return kind === 'query' && hasRows && typeof access === 'object' ? access.screens[0] : undefined;
}

function listBy(endpoint: AnyEndpoint, noun: NounName): DrillDown[] {
  const screen = screenOf(endpoint);
  const shape = shapeOf(endpoint.input);
  // Or no more than what is shown of one row.
  const isWhole = 'currentPage' in shape || nounEntries.some(([, { list }]) => list === endpoint);
  // What has to be given is no search.
  const field = Object.entries(shape).find(
    ([, schema]) => metaOf(schema).ref === noun && schema instanceof z.ZodOptional,
  )?.[0];
  // What stands on the row's own page is nowhere else to be led to.
  const { page, screen: own } = nounOf(noun);
  if (!isWhole || !screen || !field || screen === page) return [];
  if (screen !== own) return [{ title: titleOf(screen), screen, field }];
  // Rows of the same kind that refer to it stand below it; searched by a field that they have not, they are the row itself.
  const isBelow = field in shapeOf(rowSchemaOf(endpoint.output));
  return isBelow ? [{ title: `下级${titleOf(screen)}`, screen, field }] : [];
}

const calls = Object.values(nouns).flatMap((each) => endpointsOf(each).map(([, endpoint]) => endpoint));

/** In the order of the side bar. */
const inOrder = <L extends { readonly screen: ScreenPath }>(lists: L[]): L[] =>
  lists.sort((one, other) => (places.get(one.screen) ?? 0) - (places.get(other.screen) ?? 0));

/** The lists that hold what belongs to a noun's row: every one whose search takes it. */
export const drillDowns = (noun: NounName): DrillDown[] =>
  inOrder(calls.flatMap((endpoint) => listBy(endpoint, noun)));

/** A list that can be searched by what a row is found by itself. */
export interface Related {
  readonly title: string;
  readonly screen: ScreenPath;
  /** The fields, called alike in the row and in the search. */
  readonly fields: readonly string[];
}

/**
 * Lists of other screens that are searched by all that a noun's row is found by: of the same phase; or by an operator. What is but one field
 * has to be said to name the noun, since fields called alike may mean another thing.
 */
export function relatedLists(noun: NounName): Related[] {
  const { find: fields, screen: own } = nounOf(noun);
  return inOrder(
    calls.flatMap((endpoint) => {
      const [screen, shape] = [screenOf(endpoint), shapeOf(endpoint.input)];
      const asked = fields.flatMap((field) => shape[field] ?? []);
      const [first, ...others] = asked;
      const isSearched =
        asked.length === fields.length && first && (others.length > 0 || metaOf(first).nameOf === noun);
      return isSearched && screen && screen !== own ? [{ title: titleOf(screen), screen, fields }] : [];
    }),
  );
}

/** A way from a row to a list, with what that is searched by. */
export interface RowLink {
  readonly title: string;
  readonly screen: ScreenPath;
  readonly search: Readonly<Record<string, string>>;
}

/**
 * The lists that refer to a row of a noun, or to its player, each screen once. Its player's list that finds a row as the noun does is the row itself.
 */
export function rowLinks(noun: NounName, row: object): RowLink[] {
  const values = new Map(Object.entries(row));
  const by = (fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, String(values.get(field))]));
  const of = (which: NounName, id: unknown) =>
    drillDowns(which).map(({ field, ...list }) => ({ ...list, search: { [field]: String(id) } }));
  const { screen: own, find } = nounOf(noun);
  const all = [
    ...of(noun, values.get('id')),
    ...relatedLists(noun).map(({ fields, ...list }) => ({ ...list, search: by(fields) })),
    ...(typeof values.get('userId') === 'number' ? of('user', values.get('userId')) : []).filter(
      ({ screen }) => screen !== own || find.join() !== 'userId',
    ),
  ];
  return all.filter(({ screen }, at) => all.findIndex((each) => each.screen === screen) === at);
}
