import { z } from 'zod';
import type { OptionField } from '#contract/option-fields.ts';

type Json = z.core.JSONSchema._JSONSchema;

const propertyOf = (schema: Json | undefined): z.core.JSONSchema.BaseSchema =>
  typeof schema === 'object' ? schema : {};

function kindOf({ type, enum: codes, items }: z.core.JSONSchema.BaseSchema): OptionField['kind'] {
  if (codes) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number') return 'integer';
  if (type === 'string') return 'text';
  if (type !== 'array') return 'json';
  const each = Array.isArray(items) ? undefined : propertyOf(items).type;
  return each === 'integer' ? 'numbers' : each === 'string' ? 'texts' : 'json';
}

const wordsOf = ({ enum: codes, choices }: z.core.JSONSchema.BaseSchema): Record<string, string> | null => {
  if (!codes) return null;
  const words = new Map(Object.entries(choices ?? {}));
  return Object.fromEntries(codes.map((code) => [String(code), String(words.get(String(code)) ?? code)]));
};

/** An option as it is written in JSON, and as its input is labelled. */
export function optionNamed(schema: z.ZodType, name: string): string {
  const label = optionFieldsOf(schema).find((field) => field.name === name)?.label ?? name;
  return label === name ? name : `${name}（${label}）`;
}

/** What a schema of options asks for, one field each, so that nobody has to write JSON. */
export function optionFieldsOf(schema: z.ZodType): OptionField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, value]) => {
    const property = propertyOf(value);
    return {
      ...{ name, label: property.title ?? name, kind: kindOf(property), words: wordsOf(property) },
      preset: property.default === undefined ? null : JSON.stringify(property.default),
      ...{ required: required.includes(name), hint: property.description ?? null },
    };
  });
}
