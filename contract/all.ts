import type { AnyEndpoint } from './endpoint.ts';
import * as menus from './menus.ts';

type Endpoints<M> = { [K in keyof M as M[K] extends AnyEndpoint ? K : never]: M[K] };

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'verb' in value && 'access' in value;

/** The endpoints among a noun's exports, by name. */
const endpointsOf = <M extends object>(noun: M) =>
  Object.fromEntries(Object.entries(noun).filter(([, value]) => isEndpoint(value))) as Endpoints<M>;

/** Every call of the product by its name. */
export const contract = {
  ...endpointsOf(menus),
};

export type Contract = typeof contract;
export type EndpointName = keyof Contract;
