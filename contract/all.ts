import type { AnyEndpoint } from './endpoint.ts';
import { modules } from './modules.ts';

/** The exports of every noun, under the words that head it in the API document. */
export const nouns: Readonly<Record<string, Noun>> = Object.fromEntries(
  modules.map((noun) => [noun.heading, noun]),
);

type Endpoints<M> = { [K in keyof M as M[K] extends AnyEndpoint ? K : never]: M[K] };
type Merged<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'verb' in value && 'access' in value;

/** The calls among a noun's exports, by name. */
export const endpointsOf = (noun: object): [name: string, endpoint: AnyEndpoint][] =>
  Object.entries(noun).filter((entry): entry is [string, AnyEndpoint] => isEndpoint(entry[1]));

type Noun = (typeof modules)[number];
type AllEndpoints = Merged<Noun extends infer M ? (M extends unknown ? Endpoints<M> : never) : never>;

export type Contract = { readonly [K in keyof AllEndpoints]: AllEndpoints[K] };
export type EndpointName = keyof Contract;

type Calls = Readonly<Record<string, AnyEndpoint>>;

/** Each noun's calls stand under their names, so that they are what the type says; two nouns must not share a name. */
function assertWhole(calls: Calls): asserts calls is Calls & Contract {
  for (const [name, endpoint] of Object.values(nouns).flatMap(endpointsOf))
    if (calls[name] !== endpoint) throw new Error(`two calls are named ${name}`);
}

const calls: Calls = Object.fromEntries(Object.values(nouns).flatMap(endpointsOf));
assertWhole(calls);

/** Every call of the product by its name. */
export const contract: Contract = calls;

/** Whether there is such a call; one that was recorded or stored may be gone. */
export const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(contract, name);
