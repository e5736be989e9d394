interface Asking {
  readonly id: number;
  readonly answered: Promise<boolean>;
  readonly settle: (confirmed: boolean) => void;
}

let asking: Asking | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Asking | null): void {
  asking = next;
  for (const listener of listeners) listener();
}

export const readStepUp = (): Asking | null => asking;

export function subscribeStepUp(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for a fresh Google code; true once the server has taken one. Calls that wait at the same time share the question. */
export function askForCode(): Promise<boolean> {
  if (asking) return asking.answered;
  let settle: (confirmed: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  lastId += 1;
  change({ id: lastId, answered, settle });
  return answered;
}

/** Ends the question there is: the calls that wait are made again, or told as refused. */
export function answerStepUp(confirmed: boolean): void {
  const { settle } = asking ?? {};
  if (!settle) return;
  change(null);
  settle(confirmed);
}
