import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import { failures } from '#contract/failures.ts';
import { IMPORT_HEADER, IMPORT_WITH_HEADER, ImportReport, importTypes } from '#contract/imports.ts';
import { CallFailed } from './call-failed.ts';
import { type Answer, headersFor } from './exchange.ts';
import { startLoading } from './notices.ts';
import { envelopeOf, openEnvelope } from './open-envelope.ts';
import { refreshSession } from './refresh.ts';
import { sessionFor } from './session-for.ts';
import { askForCode } from './step-up.ts';

interface TableToSend {
  readonly endpoint: AnyEndpoint;
  readonly file: File;
  readonly given: object;
  readonly within: object;
  /** With a key the table is kept, without one it is only checked. */
  readonly key: string | undefined;
}

const codeOf = (answer: Answer): number | undefined => envelopeOf(answer)?.code;

async function ask({ endpoint, file, given, within, key }: TableToSend): Promise<Answer> {
  const url = basePath(endpoint) + endpoint.path;
  const contentType = file.name.toLowerCase().endsWith('.csv') ? importTypes.csv : importTypes.xlsx;
  const request = { method: 'POST' as const, url, contentType, body: null };
  const headers = headersFor(request, { session: sessionFor(endpoint), idempotencyKey: key });
  headers.set(IMPORT_HEADER, key === undefined ? 'check' : 'keep');
  headers.set(IMPORT_WITH_HEADER, encodeURIComponent(JSON.stringify({ ...within, ...given })));
  try {
    const response = await fetch(url, { method: 'POST', headers, body: file, credentials: 'omit' });
    return { status: response.status, body: (await response.json().catch(() => null)) as unknown };
  } catch {
    throw new CallFailed('没有收到系统的答复，请检查网络后重试', false);
  }
}

/** Has a table checked, or imported; what is wrong with it comes back in the report. Other refusals are thrown as `CallFailed`. */
export async function sendTable(table: TableToSend): Promise<{ report: ImportReport; done: boolean }> {
  const finished = startLoading();
  try {
    let answer = await ask(table);
    const session = sessionFor(table.endpoint);
    if (session && codeOf(answer) === failures.unauthenticated.code && (await refreshSession(session)))
      answer = await ask(table);
    if (codeOf(answer) === failures.stepUpNeeded.code && (await askForCode())) answer = await ask(table);
    const faulty = ImportReport.safeParse(envelopeOf(answer)?.data);
    if (faulty.success && faulty.data.faults.length > 0) return { report: faulty.data, done: false };
    const report = openEnvelope<ImportReport>(answer);
    return { report, done: table.key !== undefined };
  } finally {
    finished();
  }
}
