import { AggregatorRegistry, type MetricObject } from 'prom-client';

/** What a process measured, of each of its registries a list. */
export type Measurements = readonly MetricObject[];

const isGrowing = ({ type }: MetricObject): boolean => ['counter', 'histogram'].includes(String(type));
const growing = (told: readonly Measurements[]): Measurements[] => told.map((list) => list.filter(isGrowing));

/**
 * What several processes have counted, those too that have ended or say nothing for a moment. A sum that fell would be taken for one that
 * began anew, and all of it for what was counted since.
 */
export class GrowingSums<Process> {
  readonly #last = new Map<Process, readonly Measurements[]>();
  #ended: Promise<readonly Measurements[]> = Promise.resolve([]);

  /** Takes what each process tells, nothing where it says nothing; gives the measurements of all together. */
  async text(told: ReadonlyMap<Process, readonly Measurements[]>): Promise<string> {
    const all = [...told].flatMap(([process, own]) => {
      if (own.length === 0) return growing(this.#last.get(process) ?? []);
      this.#last.set(process, own);
      return own;
    });
    return AggregatorRegistry.aggregate([...all, ...(await this.#ended)]).metrics();
  }

  /** Goes on with what a process has counted that has ended. */
  end(process: Process): void {
    const last = growing(this.#last.get(process) ?? []);
    this.#last.delete(process);
    if (last.length === 0) return;
    // As one, however many end.
    this.#ended = this.#ended.then(async (ended) => [
      await AggregatorRegistry.aggregate([...ended, ...last]).getMetricsAsJSON(),
    ]);
  }
}
