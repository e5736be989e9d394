import type { EndpointName } from '#contract/all.ts';
import type { ExportFormat } from '#contract/export-formats.ts';
import type { Language } from '#contract/language.ts';
import type { Config } from '#server/config.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import type { Position } from '#server/db/log-position.ts';
import { Refusal } from '#server/refusal.ts';

/** A caller that takes nothing for so long has gone. */
export const STALLED_MS = 60_000;

/** What the thread of exports is started with. */
export interface ThreadSettings {
  readonly config: Config;
  /** Where compiled code is kept; nothing where it is not. */
  readonly compileCache: string | undefined;
}

/** One list to be exported: the call as it was checked and allowed, and the database to read it from. */
export interface ExportOrder {
  readonly call: EndpointName;
  readonly format: ExportFormat;
  readonly language: Language;
  readonly input: Readonly<Record<string, unknown>>;
  readonly url: string;
  /** What that database must hold, where it is a replica. */
  readonly wanted?: Position | undefined;
  readonly sessionId: string;
  readonly now: Date;
  readonly address: string;
  readonly agent: string;
}

/** An error on its way between threads, which keep neither its class nor its code. */
interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly refusal?: Pick<Refusal, 'failure' | 'errors'>;
}

/** What the thread answers: the number of rows, the pieces of the file one by one, and that it is done. The memory of a piece is kept until the next one has been taken and the one after that is asked for. */
export type Reply =
  | { readonly total: number }
  | { readonly bytes: Uint8Array; readonly rows: number }
  | { readonly done: true }
  | { readonly failed: Failure };

/** What the thread has to say in the server's log. */
export interface Told {
  readonly details: object;
  readonly message: string;
}

/** An error as it can be sent. */
export function failureOf(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const told = { name, message, code: errorCode(error) };
  if (!(error instanceof Refusal)) return told;
  return { ...told, refusal: { failure: error.failure, errors: error.errors } };
}

/** The error that was sent. */
export function errorOf({ refusal, ...told }: Failure): Error {
  if (!refusal) return Object.assign(new Error(told.message), told);
  const { failure, errors } = refusal;
  return Object.assign(new Refusal(failure, errors ? { errors } : {}), { message: told.message });
}
