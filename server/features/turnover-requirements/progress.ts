/** What has to be turned over since a moment; amounts in ten-thousandths. */
export interface Required {
  readonly since: number;
  readonly required: bigint;
}

/** Turnover of a slip that was placed at a moment. */
export interface Played {
  readonly placed: number;
  readonly turnover: bigint;
}

/**
 * What was turned over for each requirement, the oldest first: a slip counts for the oldest one that was there when it was placed and is not
 * met yet, and what is over for the next of them.
 */
export function playedFor(requirements: readonly Required[], slips: readonly Played[]): bigint[] {
  const played = requirements.map(() => 0n);
  for (const { placed, turnover } of slips.toSorted((one, other) => one.placed - other.placed)) {
    let over = turnover;
    for (const [place, { since, required }] of requirements.entries()) {
      if (since > placed || over === 0n) break;
      const missing = required - (played[place] ?? 0n);
      const taken = missing < over ? missing : over;
      played[place] = (played[place] ?? 0n) + taken;
      over -= taken;
    }
  }
  return played;
}
