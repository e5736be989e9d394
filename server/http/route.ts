import { type AnyEndpoint, basePath, pathFields } from '#contract/endpoint.ts';

/** The route of a call as Fastify spells it. */
export const routeOf = (endpoint: AnyEndpoint): string =>
  basePath(endpoint) +
  pathFields(endpoint).reduce(
    (path, field) => path.replace(`{${field}}`, `:${field}`),
    endpoint.path as string,
  );
