import type { z } from 'zod';
import type { DrawnResult } from '../../draw-records/drawn-result.ts';

/** What a collector knows of the spider it reads for. */
export interface CollectorSettings {
  /** The spider's options, JSON text; null when it has none. */
  readonly options: string | null;
  /** The platform's zone, for times that name none. */
  readonly timeZone: string;
}

/** Reads what one kind of source answers. */
export interface Collector {
  /** What spiders call it by. */
  readonly name: string;
  /** What it reads, in a sentence for operators. */
  readonly desc: string;
  /** False for one that draws by itself and fetches nothing. */
  readonly fetches: boolean;
  /** What its options hold, for inputs of their own; nothing where it takes none. */
  readonly options?: z.ZodType;
  /** Throws `Refusal` at the field `options` when the collector cannot work with them. */
  checkOptions?(options: string | null): void;
  /** The draws in a body, in its order; rows that are not drawn yet are left out. Throws `SourceUnreadable`. */
  read(body: string, settings: CollectorSettings): DrawnResult[];
}
