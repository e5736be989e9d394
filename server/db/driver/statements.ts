import { AsyncLocalStorage } from 'node:async_hooks';

/** A statement that was answered, or failed; the values it was sent with are never told. */
export interface Statement {
  readonly text: string;
  readonly ms: number;
  /** What it failed with. */
  readonly error?: unknown;
}

/** What statements are sent for: a call, or a part of the background work. */
export interface Work {
  readonly kind: 'call' | 'part';
  readonly name: string;
  /** Who asked for it, an operator by number; callers who wait for connections take turns. Told once it is known. */
  caller?: number | string | undefined;
  /** Is told of each of its statements. */
  readonly heard?: ((statement: Statement) => void) | undefined;
}

const current = new AsyncLocalStorage<Work>();
const listeners = new Set<(statement: Statement, work: Work | undefined) => void>();

/** Runs something whose statements are this work's. */
export const during = <T>(work: Work, run: () => T): T => current.run(work, run);

/** Whose work is under way here; nobody's where nobody said so. */
export const workUnderWay = (): Work | undefined => current.getStore();

/** Runs something that is done for several at once: each hears of its statements, which are told as the first one's. */
export function duringAll<T>(works: readonly (Work | undefined)[], run: () => T): T {
  const [first, ...others] = new Set(works.filter((work) => work !== undefined));
  if (!first) return current.exit(run);
  if (others.length === 0) return during(first, run);
  const hearing = [first, ...others].flatMap(({ heard }) => heard ?? []);
  const heard = (statement: Statement): void => {
    for (const tell of hearing) tell(statement);
  };
  return during({ ...first, heard: hearing.length > 0 ? heard : undefined }, run);
}

/** Tells of every statement of this process from now on; gives what ends that. */
export function onStatement(listener: (statement: Statement, work: Work | undefined) => void): () => void {
  // One of its own, so that the same function may listen twice.
  const own: typeof listener = (statement, work) => listener(statement, work);
  listeners.add(own);
  return () => listeners.delete(own);
}

/** Notes that a statement is sent; gives what is to be told of its end. Nothing where nobody listens. */
export function statementSent(text: string): ((error?: unknown) => void) | undefined {
  const work = current.getStore();
  if (listeners.size === 0 && !work?.heard) return undefined;
  const began = performance.now();
  return (error) => {
    const statement = { text, ms: performance.now() - began, error };
    work?.heard?.(statement);
    for (const listener of listeners) listener(statement, work);
  };
}
