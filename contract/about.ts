import { endpointsOf, nouns } from './all.ts';
import type { AboutBy, AnyEndpoint } from './endpoint.ts';

/** A call whose changes are about a noun's rows; with `by` only where that field has that code. */
export interface CallAbout {
  readonly name: string;
  readonly by?: { readonly field: string; readonly code: string };
}

const all = Object.entries(nouns).flatMap(([own, calls]) =>
  endpointsOf(calls).map(([name, endpoint]) => ({ name, own, endpoint })),
);

/** The heading that a call stands under. */
export const headingOf = (endpoint: AnyEndpoint): string | undefined =>
  all.find((each) => each.endpoint === endpoint)?.own;

const byCode = (name: string, { field, headings }: AboutBy, heading: string): CallAbout[] =>
  Object.entries(headings).flatMap(([code, each]) =>
    each === heading ? [{ name, by: { field, code } }] : [],
  );

/**
 * The calls whose changes are about rows of a heading's noun, wherever they stand. A heading whose own are all about others', such as that of a
 * desk, has those that stand under it.
 */
export function callsAbout(heading: string): CallAbout[] {
  const commands = all.filter(({ endpoint }) => endpoint.kind === 'command');
  const isOfItsOwn = commands.some(({ own, endpoint: { about = own } }) => about === heading);
  const found = all.flatMap(({ name, own, endpoint: { about = own } }) => {
    if (typeof about !== 'string') return byCode(name, about, heading);
    return about === heading ? [{ name }] : [];
  });
  return isOfItsOwn ? found : all.filter(({ own }) => own === heading).map(({ name }) => ({ name }));
}

/** The heading of the noun whose row a change was about; `said` gives what was noted or sent in a field. */
export function headingAbout(endpoint: AnyEndpoint, said: (field: string) => unknown): string | undefined {
  const { about = headingOf(endpoint) } = endpoint;
  return typeof about === 'object' ? about.headings[String(said(about.field))] : about;
}
