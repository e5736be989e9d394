import { z } from 'zod';
import { metaOf } from './fields.ts';
import { bareSchema, elementOf, shapeOf } from './row-schema.ts';

/** A field by its name. A caller's own word, such as a key of a record, may be that of every object. */
const own = (shape: Readonly<Record<string, z.ZodType>>, name: string): z.ZodType | undefined =>
  Object.hasOwn(shape, name) ? shape[name] : undefined;

/** A field of an object, or of one of several kinds of object. */
function partOf(schema: z.ZodType, name: string): z.ZodType | undefined {
  const bare = bareSchema(schema);
  if (!(bare instanceof z.ZodUnion)) return own(shapeOf(bare), name);
  const kinds = bare.options.flatMap((option) => (option instanceof z.ZodType ? [shapeOf(option)] : []));
  return kinds.map((kind) => own(kind, name)).find(Boolean);
}

/** Names what an issue is about within a field: an item of a list, a field of an object; empty when it is the field as a whole. */
function placeWithin(field: z.ZodType, [step, ...rest]: readonly PropertyKey[]): string {
  if (step === undefined) return '';
  const part = typeof step === 'number' ? elementOf(field) : partOf(field, String(step));
  if (!part) return '';
  const title = metaOf(part).title;
  const named = title === undefined ? '' : `的${title}`;
  return (typeof step === 'number' ? `第 ${step + 1} 项` : named) + placeWithin(part, rest);
}

/** One sentence for a failed check: the field's label, the part of it if it has parts, and what is wrong. */
export function describeIssue(schema: z.ZodType, path: readonly PropertyKey[], message: string): string {
  const field = own(shapeOf(schema), String(path[0]));
  if (!field) return `参数${message}`;
  return `${metaOf(field).title ?? '参数'}${placeWithin(field, path.slice(1))}${message}`;
}
