import { contract } from '#contract/all.ts';
import { type AnyEndpoint, basePath, pathFields } from '#contract/endpoint.ts';
import { matchesPath } from '#server/access/ant-pattern.ts';

/** The route of a call as Fastify spells it. */
export const routeOf = (endpoint: AnyEndpoint): string =>
  basePath(endpoint) +
  pathFields(endpoint).reduce(
    (path, field) => path.replace(`{${field}}`, `:${field}`),
    endpoint.path as string,
  );

const paths = Object.values<AnyEndpoint>(contract).map(
  (endpoint) => basePath(endpoint) + endpoint.path.replace(/\{\w+\}/g, '*'),
);

/** Whether there is a call at an address, whatever its verb. */
export const isCallAt = (url: string): boolean =>
  paths.some((path) => matchesPath(path, url.split('?')[0] ?? ''));
