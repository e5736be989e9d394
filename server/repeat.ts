type Work = () => Promise<void>;
type OnError = (error: unknown) => void;

/**
 * A trigger for work that runs one at a time; triggers that come meanwhile together cause one more run. Resolves when
 * a run that began after the trigger is over.
 */
export function coalesced(work: Work, onError: OnError): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    next = undefined;
    current = work()
      .catch(onError)
      .finally(() => {
        if (!next) current = undefined;
      });
    return current;
  };
  return () => {
    if (!current) return run();
    next ??= current.then(run);
    return next;
  };
}

/** Work whose answer is for all who ask while it is under way. */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  return () => {
    current ??= work().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/** Repeats work with a pause between runs, until stopped; stopping waits for the run under way. */
export function every(pauseMs: number, work: Work, onError: OnError): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let current: Promise<void> = Promise.resolve();
  const next = (): void => {
    current = work()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(next, pauseMs);
      });
  };
  next();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return current;
    },
  };
}
