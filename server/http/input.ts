import type { FastifyRequest } from 'fastify';
import { type AnyEndpoint, pathFields } from '#contract/endpoint.ts';
import { describeIssue } from '#contract/fields.ts';
import { Refusal } from '#server/refusal.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The call's fields as they came: body or query string, and over them the path's. */
export function rawInput(endpoint: AnyEndpoint, request: FastifyRequest): Record<string, unknown> {
  const params = isRecord(request.params) ? request.params : {};
  if (endpoint.verb === 'GET') return { ...(isRecord(request.query) ? request.query : {}), ...params };
  const body = request.body ?? {};
  if (endpoint.body !== 'array') {
    if (!isRecord(body)) throw new Refusal('badRequest');
    return { ...body, ...params };
  }
  const inPath = pathFields(endpoint);
  const field =
    Object.keys((endpoint.input as unknown as { shape: object }).shape).find(
      (name) => !inPath.includes(name),
    ) ?? '';
  // A form cannot carry a bare array; there it is the field's repeated key.
  return { [field]: Array.isArray(body) ? body : (body as Record<string, unknown>)[field], ...params };
}

/** Decodes and checks; throws `invalid` with a sentence for every field that is wrong. */
export function checkedInput(endpoint: AnyEndpoint, raw: unknown): unknown {
  const result = endpoint.input.safeParse(raw);
  if (result.success) return result.data;
  const errors: Record<string, string> = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= describeIssue(endpoint.input, issue.path, issue.message);
  }
  throw new Refusal('invalid', { values: { message: Object.values(errors)[0] ?? '参数错误' }, errors });
}
