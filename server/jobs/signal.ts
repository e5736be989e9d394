/** A word from one part of the background work to another of the same server; what nobody hears is lost, so rows must say it too. */
export interface Signal {
  give(): void;
  /** Hears it from now on; gives what ends that. */
  hear(listener: () => void): () => void;
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    give: () => {
      for (const listener of listeners) listener();
    },
    hear: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
