import { type RawBuilder, sql } from 'kysely';
import { type AnyEndpoint, pathFields } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { shapeOf } from '#contract/row-schema.ts';
import type { Db } from '#server/db/database.ts';
import { onceFor } from '#server/once-for.ts';

export type ChangeOutcome = 'SUCCESS' | 'PREPARED' | 'REFUSED' | 'DENIED' | 'FAULT';

/** One change, as it is written down. */
export interface Change {
  operatorId: number;
  userName: string;
  endpoint: AnyEndpoint;
  call: string;
  input: Readonly<Record<string, unknown>>;
  address: string;
  outcome: ChangeOutcome;
  msg: string | null;
  targetId?: number | string | undefined;
  /** The row that the call added. */
  addedId?: number | undefined;
  before?: unknown;
  after?: unknown;
}

/** The declared fields of a call that are no secrets. */
const tellableFields = onceFor((endpoint: AnyEndpoint) =>
  Object.entries(shapeOf(endpoint.input)).flatMap(([name, schema]) =>
    metaOf(schema).kind === 'secret' ? [] : [name],
  ),
);

/** What PostgreSQL keeps in no text; it stands in JSON as these escapes, which a backslash that was typed is none of. */
const unkept = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * The call's declared fields without its secrets, whole: no longer than a request may be. What was not declared is not written down
 * either.
 */
export function recordableInput(endpoint: AnyEndpoint, input: Readonly<Record<string, unknown>>): string {
  const kept: Record<string, unknown> = {};
  for (const name of tellableFields(endpoint)) kept[name] = input[name];
  return JSON.stringify(kept).replace(unkept, (found) => (found === '\\\\' ? found : ''));
}

/** So much of a value tells what was meant by it. */
const MOST_TOLD = 1_000;

/**
 * An input with the beginnings of its long values: of a call that was turned away before it began, whose input nobody has checked. Whoever is
 * refused could otherwise fill the disk, a megabyte a call.
 */
export const begun = (input: Change['input']): Change['input'] =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      const isLong = text.length > MOST_TOLD;
      return [name, isLong ? `${text.slice(0, MOST_TOLD)}…（共 ${text.length} 个字符）` : value];
    }),
  );

/** The row that a change is about: as told, or by what its path or its input names, or what it added; a list that was taken out is about none. */
export function targetOf({
  endpoint,
  input,
  targetId,
  addedId,
}: Pick<Change, 'endpoint' | 'input' | 'targetId' | 'addedId'>): string | null {
  if (endpoint.kind === 'query') return null;
  const target = targetId ?? input[pathFields(endpoint)[0] ?? 'id'] ?? addedId;
  if (typeof target !== 'number' && typeof target !== 'string') return null;
  // A path may name what PostgreSQL keeps in no text, and who sent it is to be found all the same.
  return String(target).replaceAll('\u0000', '').slice(0, 100) || null;
}

/**
 * The statement that appends a change to the record. With a `source`, as in `from kept`, it appends one line for each
 * row of it: so the record can hang on another part of the same statement.
 */
export function appendChange(
  change: Change,
  source: RawBuilder<unknown> = sql``,
): RawBuilder<{ id: number }> {
  const { endpoint, operatorId, userName, call, input, before, after, address, outcome, msg } = change;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  return sql`
    insert into change_record
      ("operatorId", "userName", call, summary, "targetId", input, before, after, address, outcome, msg)
    select ${operatorId || null}::bigint, ${userName}::text, ${call}::text, ${endpoint.summary}::text,
      ${targetOf(change)}::text,
      ${recordableInput(endpoint, input)}::jsonb, ${json(before)}::jsonb, ${json(after)}::jsonb,
      ${address}::text, ${outcome}::text, ${msg}::text
    ${source}
    returning id`;
}

/** Appends a change to the record. */
export async function recordChange(db: Db, change: Change): Promise<void> {
  await appendChange(change).execute(db);
}
