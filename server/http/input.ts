import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { describeIssue } from '#contract/describe-issue.ts';
import { type AnyEndpoint, arrayField } from '#contract/endpoint.ts';
import { isEmpty, metaOf } from '#contract/fields.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { onceFor } from '#server/once-for.ts';
import { momentsOf } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';
import { formOf } from './body-parsers.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in the query string; the framework would keep escapes that it cannot read as they are. */
function queryOf({ raw }: FastifyRequest): Record<string, unknown> {
  const [, ...search] = (raw.url ?? '').split('?');
  return formOf(search.join('?'));
}

/** The call's fields as they came: body or query string, and over them the path's. */
export function rawInput(endpoint: AnyEndpoint, request: FastifyRequest): Record<string, unknown> {
  const params = isRecord(request.params) ? request.params : {};
  if (endpoint.verb === 'GET') return { ...queryOf(request), ...params };
  const body = request.body ?? {};
  if (endpoint.body === 'array' && Array.isArray(body))
    return { ...queryOf(request), [arrayField(endpoint)]: body, ...params };
  // A form cannot carry a bare array; there it is the field's repeated key.
  if (!isRecord(body)) throw new Refusal('badRequest');
  return { ...body, ...params };
}

/** The fields of a call that mean something where nothing is sent. */
const presetFields = onceFor((endpoint: AnyEndpoint) =>
  Object.entries(shapeOf(endpoint.input)).flatMap(([name, field]) =>
    field instanceof z.ZodDefault ? [name] : [],
  ),
);

/** What was sent, without what is empty of fields that then mean something else: a form sends each, also one that was cleared. */
function withoutEmpty(endpoint: AnyEndpoint, raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const empty = presetFields(endpoint).filter((name) => name in raw && isEmpty(raw[name]));
  if (empty.length === 0) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !empty.includes(name)));
}

/** Decodes and checks; throws `invalid` with a sentence for every field that is wrong. */
export function checkedInput(endpoint: AnyEndpoint, raw: unknown): unknown {
  const result = endpoint.input.safeParse(withoutEmpty(endpoint, raw));
  if (result.success) return result.data;
  const errors: Record<string, string> = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '');
    errors[field] ??= describeIssue(endpoint.input, issue.path, issue.message);
  }
  throw new Refusal('invalid', { values: { message: Object.values(errors)[0] ?? '参数错误' }, errors });
}

/** A query's input with its ranges of time as the planner understands them, see `momentsOf`. */
export function withMoments<T extends object>(endpoint: AnyEndpoint, input: T, timeZone: string): T {
  if (endpoint.kind !== 'query') return input;
  const shape = shapeOf(endpoint.input);
  const ranges = Object.entries(input).filter(
    ([name, value]) => Array.isArray(value) && shape[name] && metaOf(shape[name]).kind === 'range',
  );
  if (ranges.length === 0) return input;
  return { ...input, ...Object.fromEntries(ranges.map(([name, ends]) => [name, momentsOf(ends, timeZone)])) };
}
