import { z } from 'zod';
import { endpointsOf, nouns } from './all.ts';
import { type AnyEndpoint, basePath, pathFields, releasesOf } from './endpoint.ts';
import { IMPORT_HEADER, IMPORT_WITH_HEADER, importTypes } from './imports.ts';
import {
  type Answers,
  answers,
  errorResponse,
  errorStatuses,
  type Json,
  json,
  ownKeywords,
  refused,
  responsesOf,
  schemaRef,
} from './openapi-responses.ts';
import { keyPattern, LONGEST_KEY } from './request.ts';

const form = 'application/x-www-form-urlencoded';

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
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  const inQuery = { GET: search, POST: endpoint.body === 'array' ? search.slice(1) : [] }[endpoint.verb];
  return [
    ...path,
    ...inQuery,
    ...(endpoint.kind === 'command' ? [shared('IdempotencyKey')] : []),
    ...(endpoint.imports ? [shared('Import'), shared('ImportWith')] : []),
    ...(endpoint.revalidated ? [shared('IfNoneMatch')] : []),
  ];
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
  const table = { schema: { type: 'string', format: 'binary' } };
  const asTable = endpoint.imports ? Object.values(importTypes).map((type) => [type, table]) : [];
  return {
    required: names.length > 0,
    content: Object.fromEntries([
      ...(endpoint.body === 'form' ? [asForm, asJson] : [asJson, asForm]),
      ...asTable,
    ]),
  };
}

function securityOf({ access }: AnyEndpoint): Json[] {
  if (access === 'public') return [];
  return [access === 'platform' ? { platformKey: [] } : { operatorToken: [] }];
}

/** A call that may take a second operator asks for a fresh code where it would, whether it has to wait or not. */
const stepUpOf = ({ stepUp, approval }: AnyEndpoint): Json =>
  stepUp || approval ? { 'x-step-up': stepUp === true ? 'always' : 'sometimes' } : {};

function operation(tag: string, name: string, endpoint: AnyEndpoint, answered: Answers): Json {
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
    ...stepUpOf(endpoint),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, answered.of(name)),
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    '幂等键。同一调用方在 24 小时内以同一键再次调用同一接口，得到第一次的响应（包括拒绝），不会再次变更；同一键配不同参数会被拒绝。',
  schema: { type: 'string', minLength: 1, maxLength: LONGEST_KEY, pattern: keyPattern.source },
};

/** What only some calls take, told once. */
const parameters = {
  IdempotencyKey: idempotencyKey,
  Import: {
    name: IMPORT_HEADER,
    in: 'header',
    required: false,
    description:
      '正文为表格（CSV 或 XLSX，第一行为各列的名称）时必填：check 只检查，keep 全部导入或一行也不导入，template 返回空表格。',
    schema: { type: 'string', enum: ['check', 'keep', 'template'] },
  },
  ImportWith: {
    name: IMPORT_WITH_HEADER,
    in: 'header',
    required: false,
    description: '导入时各行相同的字段，为 JSON 对象，按 URI 编码。',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: '上次响应的 ETag；内容没有变化时返回 304。',
    schema: { type: 'string' },
  },
};

const description = [
  '所有响应都包在 {success, msg, data, code} 中；业务拒绝为 HTTP 200 且 success 为 false。',
  '金额与赔率是十进制文本（最多 4 位小数），也接受数字；时间为平台时区的 YYYY-MM-DD HH:mm:ss。',
  '范围条件以同一键发送两次。部分 GET 接口会变更数据，见各接口的 x-kind。',
  '标有 x-step-up 的接口，绑定了谷歌验证的操作员须在 5 分钟内于同一登录中提交过验证码（POST /api/system/safe/stepUp），否则以 code 428 拒绝；提交后以同一幂等键重发即可。',
  '标有 x-approval 的接口，在参数 approval.enabled 为 true 时可能须由另一名操作员放行：此时不执行，返回 {approvalId}，放行见 POST /api/approval/release。',
  '密码由他人设置的操作员登录后，除修改密码与退出外的接口一律以 code 412 拒绝。',
  '请求头 X-Session 可注明调用方所在的会话（登录所得的 jti）；令牌属于另一会话时拒绝，不做任何事。',
].join('\n\n');

/** The entities that something of the document refers to: a few only lend their fields to an answer that has more. */
function referredTo(entities: Json, paths: Json): Json {
  const text = JSON.stringify([entities, paths]);
  return Object.fromEntries(
    Object.entries(entities).filter(([name]) => text.includes(`"${schemaRef(name)}"`)),
  );
}

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
      schemas: { ...referredTo(answered.entities, paths), Refused: refused },
      responses: Object.fromEntries(errorStatuses.map((status) => [`Error${status}`, errorResponse(status)])),
      parameters,
      securitySchemes: {
        operatorToken: { type: 'http', scheme: 'bearer', description: '登录所得的 access_token' },
        platformKey: { type: 'http', scheme: 'bearer', description: '平台密钥' },
      },
    },
  };
}
