import { useSyncExternalStore } from 'react';

/** A value that outlives all parts of the console and belongs to none; whoever subscribed hears when it becomes another. */
export interface Store<T> {
  readonly read: () => T;
  readonly write: (value: T) => void;
  /** Gives what ends it. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function storeOf<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    read: () => value,
    write: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What is in a store, drawn again when it becomes another. */
export const useStore = <T>({ subscribe, read }: Store<T>): T => useSyncExternalStore(subscribe, read);
