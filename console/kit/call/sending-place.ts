import { createContext, use, useRef } from 'react';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

/** Where the key of a command that is on its way is kept, by a form that outlives the page: its answer may be lost with the page. */
export interface SendingPlace {
  /** The call it is kept of. */
  readonly path: string;
  /** The key that this input went out under before the page was loaded, and to which no answer came. */
  readonly keyOf: (input: object) => string | undefined;
  readonly keep: (input: object, key: string) => void;
  /** An answer came. */
  readonly forget: () => void;
}

export const SendingContext = createContext<SendingPlace | undefined>(undefined);

/** An input as a text that is the same for the same input, in whatever order its fields were put together. */
export const sentText = (input: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1))));

/** The key that an input of a command goes out under: the one it had where no answer came to it, else a new one. */
export function useSendingKey(endpoint: AnyEndpoint) {
  const last = useRef<{ readonly sent: string; readonly key: string } | null>(null);
  const kept = use(SendingContext);
  const place = kept?.path === endpoint.path ? kept : undefined;
  return {
    begin: (input: object): string => {
      const sent = sentText(input);
      const before = last.current ? last.current.sent === sent && last.current.key : place?.keyOf(input);
      const key = before || newIdempotencyKey();
      last.current = { sent, key };
      // Before anything is sent: the page may be left while it is on its way.
      place?.keep(input, key);
      return key;
    },
    /** An answer came. */
    settle: () => {
      last.current = null;
      place?.forget();
    },
  };
}
