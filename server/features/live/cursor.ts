/** How far somebody has read: when, and which transactions had ended by then. */
export interface Cursor {
  /** Seconds since 1970, by the database's clock. */
  readonly at: number;
  /** The snapshot as PostgreSQL writes it. */
  readonly snapshot: string;
  /** Every transaction before this one had ended. */
  readonly xmin: bigint;
  /** None from this one on had. */
  readonly xmax: bigint;
  readonly running: ReadonlySet<bigint>;
}

const shape = /^(\d{1,12})-((\d{1,20}):(\d{1,20}):(\d{1,20}(?:,\d{1,20})*)?)$/;

/** A cursor of its text; nothing when it is none. */
export function readCursor(text: string | undefined): Cursor | undefined {
  const [, at, snapshot, xmin, xmax, running] = shape.exec(text ?? '') ?? [];
  if (at === undefined || snapshot === undefined || xmin === undefined || xmax === undefined)
    return undefined;
  return {
    at: Number(at),
    snapshot,
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: new Set(running ? running.split(',').map(BigInt) : []),
  };
}

export const cursorText = ({ at, snapshot }: Pick<Cursor, 'at' | 'snapshot'>): string => `${at}-${snapshot}`;

/** Whether what a transaction did came after the cursor. */
export const isUnseen = ({ xmin, xmax, running }: Cursor, xid: bigint): boolean =>
  xid >= xmax || (xid >= xmin && running.has(xid));
