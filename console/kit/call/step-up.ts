import { storeOf } from './store.ts';

interface Asking {
  readonly id: number;
  readonly answered: Promise<boolean>;
  readonly settle: (confirmed: boolean) => void;
}

/** The question for a code, while there is one. */
export const stepUp = storeOf<Asking | null>(null);
let lastId = 0;

/** Asks for a fresh Google code; true once the server has taken one. Calls that wait at the same time share the question. */
export function askForCode(): Promise<boolean> {
  const asking = stepUp.read();
  if (asking) return asking.answered;
  const { promise: answered, resolve: settle } = Promise.withResolvers<boolean>();
  lastId += 1;
  stepUp.write({ id: lastId, answered, settle });
  return answered;
}

/** Ends the question there is: the calls that wait are made again, or told as refused. */
export function answerStepUp(confirmed: boolean): void {
  const asking = stepUp.read();
  if (!asking) return;
  stepUp.write(null);
  asking.settle(confirmed);
}
