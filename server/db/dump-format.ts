import { z } from 'zod';

/**
 * A dump is gzipped text: a header, then for each table a line of its own, its rows as COPY writes them, `\.`, and what they
 * add up to; at the end the sequences. Lines of JSON and rows of text are the same in every PostgreSQL.
 */
export const FORMAT = 'back-office-dump';
export const VERSION = 1;
export const END_OF_ROWS = '\\.';

export const Header = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  createTime: z.string(),
  /** What the dumped schema was made of. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** In an order in which rows refer to rows of earlier tables only. */
  tables: z.array(z.string()),
});
export const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
export const SumLine = z.object({ rows: z.number(), sha256: z.string() });
export const EndLine = z.object({
  end: z.literal(true),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
});

export type Header = z.infer<typeof Header>;
export type TableLine = z.infer<typeof TableLine>;
export type SumLine = z.infer<typeof SumLine>;
export type EndLine = z.infer<typeof EndLine>;

/** A dump cannot be made, or a file not be restored; the message is a Chinese sentence. */
export class DumpError extends Error {
  override name = 'DumpError';
}
