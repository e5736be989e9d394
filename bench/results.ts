import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figures.ts';

/** A figure as it is kept: of which bench, and whether its goal was met. */
export interface Kept extends Figure {
  readonly bench: string;
  readonly met?: boolean | undefined;
}

/** A file of bench/results. */
export interface Results {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly scale: number;
  /** How busy the machine was as each bench began. */
  readonly loads: string[];
  readonly failed: string[];
  readonly figures: Kept[];
}

/** The newest results of the same machine and size; nothing where there are none. */
export function lastKept(folder: string, { machine, scale }: Results): Results | undefined {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name): Results => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .findLast((results) => results.machine === machine && results.scale === scale);
}
