import type { z } from 'zod';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { elementOf, shapeOf } from '#contract/row-schema.ts';
import type { Values } from './conflict.ts';

function stripped(schema: z.ZodType, value: unknown): unknown {
  const element = elementOf(schema);
  if (element && Array.isArray(value)) return value.map((each) => stripped(element, each));
  const shape = shapeOf(schema);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([name]) => {
    const field = shape[name];
    return field === undefined || metaOf(field).kind !== 'secret';
  });
  return Object.fromEntries(
    kept.map(([name, part]) => {
      const field = shape[name];
      return [name, field ? stripped(field, part) : part];
    }),
  );
}

/** What is entered for a call, without secrets, wherever in the form they stand: they are never put into storage. */
export const withoutSecrets = ({ input }: AnyEndpoint, values: object): Values =>
  stripped(input, values) as Values;
