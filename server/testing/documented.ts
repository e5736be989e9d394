import { z } from 'zod';
import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import { openApiDocument } from '#contract/openapi.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { schema: object }>>;
}
type Responses = Readonly<Record<string, Response>>;

const written = JSON.stringify(openApiDocument({ version: '1.2.3' }));
// What schemas refer to stands where zod looks for it.
const { paths, components } = JSON.parse(written.replaceAll('#/components/schemas/', '#/$defs/')) as {
  paths: Readonly<Record<string, Readonly<Record<string, { responses: Responses }>>>>;
  components: { schemas: object; responses: Responses };
};

/** What the API document says of an answer of a call. Throws where it says nothing of such a one. */
export function documented(endpoint: AnyEndpoint, status: number): z.ZodType {
  const { path, verb } = endpoint;
  const response = paths[basePath(endpoint) + path]?.[verb.toLowerCase()]?.responses[status];
  const shared = components.responses[response?.$ref?.split('/').at(-1) ?? ''];
  const schema = (shared ?? response)?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${path} is not said to answer ${status}`);
  return z.fromJSONSchema({ ...schema, $defs: components.schemas } as Parameters<typeof z.fromJSONSchema>[0]);
}
