import { createHash } from 'node:crypto';

const MODULUS = 1n << 128n;

/** What rows add up to in whatever order they come: two sets of rows with one tally are the same rows. */
export class RowTally {
  #sum = 0n;
  #rows = 0;

  add(row: Buffer): void {
    const digest = createHash('sha256').update(row).digest();
    this.#sum = (this.#sum + (digest.readBigUInt64BE(0) << 64n) + digest.readBigUInt64BE(8)) % MODULUS;
    this.#rows++;
  }

  get text(): string {
    return `${this.#rows}:${this.#sum.toString(16)}`;
  }
}
