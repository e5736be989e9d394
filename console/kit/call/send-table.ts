import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import {
  IMPORT_HEADER,
  IMPORT_WITH_HEADER,
  ImportReport,
  type ImportTemplate,
  importTypes,
} from '#contract/imports.ts';
import { noAnswer } from './call-failed.ts';
import { type Answer, answerOf, headersFor } from './exchange.ts';
import { envelopeOf, openEnvelope } from './open-envelope.ts';
import { askSignedIn } from './signed-in.ts';
import { inLanguage } from './told.ts';

interface Given {
  readonly endpoint: AnyEndpoint;
  readonly given: object;
  readonly within: object;
}

interface TableToSend extends Given {
  readonly file: File;
  /** With a key the table is kept, without one it is only checked. */
  readonly key: string | undefined;
}

interface Asked extends Given {
  readonly mode: 'check' | 'keep' | 'template';
  readonly file?: File;
  readonly key?: string | undefined;
}

/** Of a table of thousands of rows. A call of one row is given up sooner. */
const TIMEOUT_MS = 60_000;

/** Asks as whoever is signed in. */
const ask = ({ endpoint, mode, file, given, within, key }: Asked): Promise<Answer> =>
  askSignedIn(endpoint, { loading: true }, async (session) => {
    const url = basePath(endpoint) + endpoint.path;
    const contentType = file?.name.toLowerCase().endsWith('.csv') ? importTypes.csv : importTypes.xlsx;
    const request = { method: 'POST' as const, url, contentType, body: null };
    const headers = headersFor(request, { session, idempotencyKey: key });
    headers.set(IMPORT_HEADER, mode);
    headers.set(IMPORT_WITH_HEADER, encodeURIComponent(JSON.stringify({ ...within, ...given })));
    try {
      const sent = { method: 'POST', headers, body: file ?? null, credentials: 'omit' } as const;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return await answerOf(fetch(url, { ...sent, signal, cache: 'no-store', redirect: 'error' }));
    } catch {
      throw noAnswer();
    }
  });

/** An empty table to be filled in, as a workbook. Refusals are thrown as `CallFailed`. */
export async function fetchTemplate(given: Given): Promise<Blob> {
  const { workbook } = openEnvelope<ImportTemplate>(await ask({ ...given, mode: 'template' }));
  const bytes = Uint8Array.from(atob(workbook), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: importTypes.xlsx });
}

const isReport = (data: unknown): data is ImportReport =>
  typeof data === 'object' && data !== null && 'faults' in data && Array.isArray(data.faults);

/** Has a table checked, or imported; what is wrong with it comes back in the report. Other refusals are thrown as `CallFailed`. */
export async function sendTable(table: TableToSend): Promise<{ report: ImportReport; done: boolean }> {
  const answer = await ask({ ...table, mode: table.key === undefined ? 'check' : 'keep' });
  const told = envelopeOf(answer)?.data;
  if (isReport(told) && told.faults.length > 0)
    return { report: inLanguage(ImportReport, told), done: false };
  return { report: openEnvelope<ImportReport>(answer), done: table.key !== undefined };
}
