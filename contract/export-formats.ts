import { z } from 'zod';
import type { AnyEndpoint } from './endpoint.ts';
import { bareSchema, rowSchemaOf, shapeOf } from './row-schema.ts';

/** What a list can be had as, instead of JSON: asked for by the Accept header of the very call that shows the list. */
export const exportFormats = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type ExportFormat = keyof typeof exportFormats;

/**
 * With this request header (any value) the file comes in frames, so that whoever waits can tell how far it is: each frame
 * is two 32-bit big-endian numbers, the rows so far and the bytes that follow, and those bytes. The header of the same
 * name on the answer says how many rows there will be.
 */
export const PROGRESS_HEADER = 'x-export-rows';

/** Whether a call's answer is a list of rows that operators may see: then it can be exported with the same input. */
export function isExportable(endpoint: AnyEndpoint): boolean {
  if (endpoint.kind !== 'query' || typeof endpoint.access !== 'object') return false;
  const output = bareSchema(endpoint.output);
  const isList = output instanceof z.ZodArray || 'totalCount' in shapeOf(output);
  return isList && rowSchemaOf(output) instanceof z.ZodObject;
}
