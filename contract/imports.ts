import { z } from 'zod';
import type { AnyEndpoint } from './endpoint.ts';
import { exportFormats } from './export-formats.ts';
import { metaOf } from './fields.ts';
import { bareSchema, shapeOf } from './row-schema.ts';
import { told } from './wording.ts';

/** A command that `imports` takes a table in place of one row: a file of one of these types, sent to its own address. */
export const importTypes = exportFormats;

/**
 * `check` only says what is wrong; `keep` imports every row, or none where anything is wrong; `template` answers an empty table to be filled
 * in, and takes no file.
 */
export const IMPORT_HEADER = 'x-import';
/** Fields that are the same in all rows, and what limits what may be chosen, as URI-encoded JSON. */
export const IMPORT_WITH_HEADER = 'x-import-with';

export const MOST_IMPORT_ROWS = 2_000;
export const MOST_IMPORT_BYTES = 8 * 1_048_576;

/** Something wrong in a table, told by row (the head is row 1) and by the column's label; without a column it is the whole row. */
export const ImportFault = z.object({
  row: z.int(),
  column: told(z.string()).nullable(),
  message: told(z.string()),
});
export type ImportFault = z.infer<typeof ImportFault>;

const row = z.record(z.string(), z.unknown());

/**
 * How many rows the table has, and what is wrong with it. `changes` are of a call that tells them: what becomes of each row that the
 * table adds (`before` is null) or changes.
 */
export const ImportReport = z.object({
  rows: z.int(),
  faults: z.array(ImportFault),
  changes: z.array(z.object({ before: row.nullable(), after: row })).optional(),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** An empty table, as the bytes of a workbook in base64. */
export const ImportTemplate = z.object({ workbook: z.base64() });
export type ImportTemplate = z.infer<typeof ImportTemplate>;

/** A column of a table: the field, and the label that heads it. */
export interface ImportColumn {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  readonly schema: z.ZodType;
}

const mayBeLeftOut = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;

const fitsCell = (schema: z.ZodType): boolean => {
  const { kind, ref } = metaOf(schema);
  return ref !== undefined || (kind !== undefined && kind !== 'version' && !isList(schema));
};
const isList = (schema: z.ZodType): boolean => bareSchema(schema) instanceof z.ZodArray;

/** The columns of a command's table: its fields, but for those that are `given` for all rows. */
export const importColumns = ({ input }: AnyEndpoint, given: readonly string[] = []): ImportColumn[] =>
  Object.entries(shapeOf(input))
    .filter(([name, schema]) => !given.includes(name) && fitsCell(schema))
    .map(([name, schema]) => ({
      ...{ name, label: metaOf(schema).title ?? name, schema },
      required: !mayBeLeftOut(schema),
    }));
