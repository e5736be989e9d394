import { z } from 'zod';
import { endpointsOf, nouns } from './all.ts';
import { Submitted } from './approvals.ts';
import { type AnyEndpoint, basePath, pathFields, releasesOf } from './endpoint.ts';
import { exportFormats, isExportable } from './export-formats.ts';
import { failures } from './failures.ts';

type Json = Record<string, unknown>;

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const schemaRef = (name: string) => `#/components/schemas/${name}`;

/** Our own keywords travel under names that no other reader of JSON Schema takes for its own. */
function ownKeywords({ jsonSchema }: { jsonSchema: Json }): void {
  for (const keyword of ['kind', 'choices', 'ref', 'of', 'only', 'names']) {
    if (jsonSchema[keyword] !== undefined) jsonSchema[`x-${keyword}`] = jsonSchema[keyword];
    delete jsonSchema[keyword];
  }
}

function withoutDialect({ $schema: _dialect, $id: _id, ...rest }: Json): Json {
  return rest;
}

interface Answers {
  entities: Json;
  dataOf: (name: string) => unknown;
  currentOf: (name: string) => unknown;
}

/**
 * The schemas of what calls answer: entities by their names, to be referred to, and each call's `data` and the row it may call stale
 * by the call's name, to be written where they are used.
 */
function answers(): Answers {
  const registry = z.registry<{ id: string }>();
  const entityNames = new Set<string>();
  for (const noun of Object.values(nouns)) {
    for (const [name, value] of Object.entries<unknown>(noun)) {
      if (!(value instanceof z.ZodObject) || !/^[A-Z]/.test(name)) continue;
      // The second would stand in the first one's place.
      if (entityNames.has(name)) throw new Error(`two nouns have rows named ${name}`);
      registry.add(value, { id: name });
      entityNames.add(name);
    }
    // Wrapped, because a call may answer an entity or a shared field itself, which must keep its own name.
    for (const [name, { output, edits }] of endpointsOf(noun))
      registry.add(z.object({ data: output, ...(edits && { current: edits }) }), { id: name });
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: schemaRef, override: ownKeywords });
  return {
    entities: Object.fromEntries(
      [...entityNames].map((name) => [name, withoutDialect({ ...schemas[name] })]),
    ),
    dataOf: (name) => schemas[name]?.properties?.data,
    currentOf: (name) => schemas[name]?.properties?.current,
  };
}

/** A call's fields as a caller sends them. Texts are taken for numbers and flags too, as forms and paths carry them. */
function fieldsOf(endpoint: AnyEndpoint) {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', override: ownKeywords });
  const inPath = pathFields(endpoint);
  const required = new Set(schema.required ?? []);
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name));
  return { schemas: schema.properties ?? {}, inPath, rest, required };
}

type Fields = ReturnType<typeof fieldsOf>;

function parametersOf(endpoint: AnyEndpoint, { schemas, inPath, rest, required }: Fields): Json[] {
  const path = inPath.map((name) => ({ name, in: 'path', required: true, schema: schemas[name] ?? {} }));
  const search = rest.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }));
  const key = { $ref: '#/components/parameters/IdempotencyKey' };
  const inQuery = { GET: search, POST: endpoint.body === 'array' ? search.slice(1) : [] }[endpoint.verb];
  return [...path, ...inQuery, ...(endpoint.kind === 'command' ? [key] : [])];
}

/** Every POST takes a form and JSON alike; the one the console sends stands first. */
function requestBodyOf(endpoint: AnyEndpoint, { rest, required }: Fields): Json | undefined {
  if (endpoint.verb === 'GET' || rest.length === 0) return undefined;
  const names = rest.map(([name]) => name).filter((name) => required.has(name));
  const whole = {
    type: 'object',
    properties: Object.fromEntries(rest),
    ...(names.length > 0 && { required: names }),
  };
  const asForm = [form, { schema: whole }] as const;
  const asJson = [json, { schema: endpoint.body === 'array' ? rest[0]?.[1] : whole }] as const;
  return {
    required: names.length > 0,
    content: Object.fromEntries(endpoint.body === 'form' ? [asForm, asJson] : [asJson, asForm]),
  };
}

const errorStatuses = [...new Set(Object.values(failures).map(({ status }) => status))].filter(
  (status) => status !== 200,
);

function errorResponse(status: number): Json {
  const texts = Object.values(failures).filter((failure) => failure.status === status);
  return {
    description: texts.map(({ msg }) => msg).join('；'),
    ...(status === 429 && {
      headers: { 'Retry-After': { description: '多少秒后可以再试', schema: { type: 'integer' } } },
    }),
    content: { [json]: { schema: { $ref: schemaRef('Refused') } } },
  };
}

const envelope = (success: boolean, data: unknown): Json => ({
  type: 'object',
  required: ['success', 'msg', 'data', 'code'],
  properties: {
    success: { const: success },
    msg: { type: ['string', 'null'], description: '提示文字' },
    data,
    code: { type: 'integer', description: '结果代码，成功为 200' },
  },
});

const refused = envelope(false, {
  anyOf: [
    { type: 'null' },
    {
      type: 'object',
      required: ['errors'],
      properties: { errors: { type: 'object', additionalProperties: { type: 'string' } } },
    },
  ],
});

/** A list can be had as a file too, whole and with the same search, by the Accept header. */
const filesOf = (endpoint: AnyEndpoint): Json =>
  isExportable(endpoint)
    ? Object.fromEntries(
        Object.values(exportFormats).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      )
    : {};

/** An edit of a row that was changed meanwhile is refused with the row as it is now. */
const stale = (current: unknown): Json =>
  envelope(false, { type: 'object', required: ['current'], properties: { current } });

/** What waits for a second operator is answered with its number. */
const submitted = withoutDialect(z.toJSONSchema(Submitted, { io: 'output', override: ownKeywords }));

function responsesOf(endpoint: AnyEndpoint, data: unknown, current: unknown): Json {
  const errors = errorStatuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]);
  const schema = {
    oneOf: [
      envelope(true, data),
      { $ref: schemaRef('Refused') },
      ...(endpoint.approval ? [envelope(true, submitted)] : []),
      ...(current ? [stale(current)] : []),
    ],
  };
  const ok = {
    description: '成功，或以 success 为 false 拒绝',
    content: { [json]: { schema }, ...filesOf(endpoint) },
  };
  return { 200: ok, ...Object.fromEntries(errors) };
}

function securityOf({ access }: AnyEndpoint): Json[] {
  if (access === 'public') return [];
  return [access === 'platform' ? { platformKey: [] } : { operatorToken: [] }];
}

function operation(tag: string, name: string, endpoint: AnyEndpoint, { dataOf, currentOf }: Answers): Json {
  const fields = fieldsOf(endpoint);
  const parameters = parametersOf(endpoint, fields);
  const requestBody = requestBodyOf(endpoint, fields);
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [tag],
    'x-kind': endpoint.kind,
    ...(typeof endpoint.access === 'object' && { 'x-access': endpoint.access }),
    ...(endpoint.approval && { 'x-approval': releasesOf(endpoint).map(({ when }) => when) }),
    ...(endpoint.stepUp && { 'x-step-up': endpoint.stepUp === true ? 'always' : 'sometimes' }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, dataOf(name), currentOf(name)),
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    '幂等键。同一调用方在 24 小时内以同一键再次调用同一接口，得到第一次的回答（包括拒绝），不会再次变更；同一键配不同参数会被拒绝。',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
};

const description = [
  '所有回答都包在 {success, msg, data, code} 中；业务拒绝为 HTTP 200 且 success 为 false。',
  '金额与赔率是十进制文本（最多 4 位小数），也接受数字；时间为平台时区的 YYYY-MM-DD HH:mm:ss。',
  '范围条件以同一键发送两次。部分 GET 接口会变更数据，见各接口的 x-kind。',
  '标有 x-step-up 的接口，绑定了谷歌验证的操作员须在 5 分钟内于同一登录中提交过验证码（POST /api/system/safe/stepUp），否则以 code 428 拒绝；提交后以同一幂等键重发即可。',
  '标有 x-approval 的接口，在参数 approval.enabled 为 true 时可能须由另一名操作员放行：此时不执行，回答 {approvalId}，放行见 POST /api/approval/release。',
  '密码由他人设置的操作员登录后，除修改密码与退出外的接口一律以 code 412 拒绝。',
  '请求头 X-Session 可注明调用方所在的会话（登录所得的 jti）；令牌属于另一会话时拒绝，不做任何事。',
].join('\n\n');

/** The OpenAPI 3.1 document of every call, derived from the contract. */
export function openApiDocument({ version }: { version: string }): object {
  const answered = answers();
  const paths: Record<string, Json> = {};
  for (const [tag, noun] of Object.entries(nouns)) {
    for (const [name, endpoint] of endpointsOf(noun)) {
      const path = basePath(endpoint) + endpoint.path;
      const verb = endpoint.verb.toLowerCase();
      paths[path] = { ...paths[path], [verb]: operation(tag, name, endpoint, answered) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: '彩票与投注平台运营后台', version, description },
    servers: [{ url: '/' }],
    tags: Object.keys(nouns).map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...answered.entities, Refused: refused },
      responses: Object.fromEntries(errorStatuses.map((status) => [`Error${status}`, errorResponse(status)])),
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes: {
        operatorToken: { type: 'http', scheme: 'bearer', description: '登录所得的 access_token' },
        platformKey: { type: 'http', scheme: 'bearer', description: '平台密钥' },
      },
    },
  };
}
