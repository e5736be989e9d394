import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { approvalIdOf } from '#contract/approvals.ts';
import type { AnyEndpoint, Output, WireInput } from '#contract/endpoint.ts';
import { readBehind } from './ask-again.ts';
import { call } from './call.ts';
import { CallFailed } from './call-failed.ts';
import { toast } from './notices.ts';
import { useSendingKey } from './sending-place.ts';
import { tellSubmitted } from './submitted.ts';

/** How a command ended; one that was submitted waits for a second operator, which the operator has been told. */
export type Outcome<E extends AnyEndpoint> =
  | { readonly data: Output<E> }
  | { readonly submitted: number }
  | { readonly failure: CallFailed };

export interface Command<E extends AnyEndpoint> {
  /** Sends the command and tells how it ended; undefined when it is already on its way. */
  readonly attempt: (input: WireInput<E>) => Promise<Outcome<E> | undefined>;
  /** Sends the command; undefined when it was refused, failed, submitted, or is already on its way. */
  readonly run: (input: WireInput<E>) => Promise<Output<E> | undefined>;
  readonly running: boolean;
  /** Why the last run failed, until the next one. */
  readonly failure: CallFailed | null;
  /** To be called when a field is typed in again: what was said about it is said no more. */
  readonly correct: (field: string) => void;
}

interface CommandOptions {
  readonly loading?: boolean;
  /** The fields that stand where it is sent from, at which a refusal of them is told. */
  readonly fields?: readonly string[];
  /** Where nothing shows `failure`: a toast tells whatever no other has told, such as a network that is down. */
  readonly tell?: boolean;
}

/**
 * Runs a command of the contract. A second click while it runs does nothing, and after a lost answer the same input goes
 * out under the same idempotency key, in a form that is kept also after a reload, so nothing is ever done twice. Once it was done,
 * or may have been, all lists on screen are read again.
 */
export function useCommand<E extends AnyEndpoint>(
  endpoint: E,
  { tell = false, ...options }: CommandOptions = {},
): Command<E> {
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<CallFailed | null>(null);
  const busy = useRef(false);
  const sending = useSendingKey(endpoint);

  const attempt = async (input: WireInput<E>): Promise<Outcome<E> | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setRunning(true);
    setFailure(null);
    try {
      const data = await call(endpoint, input, { ...options, idempotencyKey: sending.begin(Object(input)) });
      sending.settle();
      void client.invalidateQueries();
      const submitted = endpoint.approval && approvalIdOf(data);
      if (submitted === undefined) return { data };
      tellSubmitted(submitted);
      return { submitted };
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      if (error.settled) sending.settle();
      // It may have been done all the same.
      else void readBehind();
      // Who signs in does nothing twice.
      const ended = endpoint.access === 'public' ? error : error.ofCommand();
      setFailure(ended);
      if (tell && !ended.told) toast('error', ended.message);
      return { failure: ended };
    } finally {
      busy.current = false;
      setRunning(false);
    }
  };
  const run = async (input: WireInput<E>): Promise<Output<E> | undefined> => {
    const outcome = await attempt(input);
    return outcome && 'data' in outcome ? outcome.data : undefined;
  };
  const correct = useCallback((field: string) => setFailure((before) => before?.without(field) ?? null), []);
  return { attempt, run, running, failure, correct };
}
