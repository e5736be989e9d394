/** Who runs a session, as its row tells. */
export interface Lease {
  readonly place: string | null;
  readonly holder: string | null;
  /** Seconds since the lease ran out; negative while it holds. Null: never held. */
  readonly overSeconds: number | null;
}

/** One server process and the DATA_DIR it works on. */
export interface Here {
  readonly place: string;
  readonly holder: string;
}

/** How long a holder may go on without renewing, and how often it renews: whoever wants a dead server's session waits as long. */
export const LEASE_SECONDS = 6;
export const BEAT_SECONDS = 1;
/** How long a login waits for the server that has its files, before another server begins it anew. */
export const AWAY_SECONDS = 120;

/**
 * What a server may do with a session: it holds it already; may take it with its files, or anew without them; another
 * server holds it; or the server that has its files is away and may come back.
 */
export function claimOf(
  { place, holder, overSeconds }: Lease,
  here: Here,
): 'mine' | 'take' | 'anew' | 'held' | 'away' {
  if (holder !== null && overSeconds !== null && overSeconds < 0)
    return holder === here.holder ? 'mine' : 'held';
  if (place === null || overSeconds === null) return 'anew';
  if (place === here.place) return 'take';
  return overSeconds > AWAY_SECONDS ? 'anew' : 'away';
}
