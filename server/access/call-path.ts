import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Rights } from './rights.ts';

/** The path that menus' expressions are matched against: the call's template with these values, always encoded alike. */
export const canonicalPath = (endpoint: AnyEndpoint, values: Readonly<Record<string, unknown>>): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));

/** Whether a call may be made with these values. */
export const mayMake = (
  rights: Rights,
  endpoint: AnyEndpoint,
  values: Readonly<Record<string, unknown>>,
): boolean => rights.may(endpoint, canonicalPath(endpoint, values));
