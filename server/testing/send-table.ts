import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import type { Envelope } from '#contract/envelope.ts';
import { IMPORT_HEADER, IMPORT_WITH_HEADER, type ImportReport, importTypes } from '#contract/imports.ts';
import type { Language } from '#contract/language.ts';

interface Sent {
  readonly mode?: string;
  readonly type?: string;
  readonly given?: object;
  readonly key?: string;
  readonly language?: Language;
}

interface Caller {
  readonly origin: string;
  readonly token: string | undefined;
}

/** Sends a table as the console does. */
export async function sendTable(
  { origin, token }: Caller,
  endpoint: AnyEndpoint,
  body: Buffer | string,
  { mode = 'check', type = importTypes.csv, given = {}, key, language = 'zh' }: Sent = {},
) {
  const response = await fetch(origin + basePath(endpoint) + endpoint.path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      'content-type': type,
      authorization: `Bearer ${token}`,
      'accept-language': language,
      [IMPORT_HEADER]: mode,
      [IMPORT_WITH_HEADER]: encodeURIComponent(JSON.stringify(given)),
      ...(key ? { 'idempotency-key': key } : {}),
    },
  });
  const envelope = (await response.json()) as Envelope<ImportReport>;
  return { status: response.status, envelope, report: envelope.data as ImportReport };
}
