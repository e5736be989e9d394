const rows: bigint[][] = [[1n]];

/** C(n, k): how many ways there are to choose `k` of `n`. */
export function choices(n: number, k: number): bigint {
  if (k < 0 || k > n || n < 0) return 0n;
  for (let row = rows.length; row <= n; row++) {
    const above = rows[row - 1] ?? [];
    rows.push(Array.from({ length: row + 1 }, (_, place) => (above[place - 1] ?? 0n) + (above[place] ?? 0n)));
  }
  return rows[n]?.[k] ?? 0n;
}

/** n!/(n-k)!: how many ways there are to put `k` of `n` in a row. */
export function arrangements(n: number, k: number): bigint {
  let ways = 1n;
  for (let step = 0; step < k; step++) ways *= BigInt(Math.max(0, n - step));
  return ways;
}

/** How many ways there are to take one of each of these sets without taking anything twice. */
export function distinctWays(sets: readonly (readonly string[])[]): number {
  const places = new Map<string, number>();
  for (const [place, set] of sets.entries())
    for (const each of set) places.set(each, (places.get(each) ?? 0) | (1 << place));
  // By the places that are filled: each number goes to one that is still free, or nowhere.
  const ways = new Float64Array(1 << sets.length);
  ways[0] = 1;
  for (const own of places.values())
    for (let filled = ways.length - 1; filled > 0; filled--)
      for (let free = filled & own; free !== 0; free &= free - 1)
        ways[filled] = (ways[filled] ?? 0) + (ways[filled ^ (free & -free)] ?? 0);
  return ways[ways.length - 1] ?? 0;
}
