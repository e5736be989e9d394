import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import { failures } from '#contract/failures.ts';
import {
  IMPORT_HEADER,
  IMPORT_WITH_HEADER,
  type ImportReport,
  type ImportTemplate,
  importTypes,
} from '#contract/imports.ts';
import { CallFailed } from './call-failed.ts';
import { type Answer, headersFor } from './exchange.ts';
import { startLoading } from './notices.ts';
import { envelopeOf, openEnvelope } from './open-envelope.ts';
import { refreshSession } from './refresh.ts';
import { sessionFor } from './session-for.ts';
import { askForCode } from './step-up.ts';

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

const codeOf = (answer: Answer): number | undefined => envelopeOf(answer)?.code;

async function ask({ endpoint, mode, file, given, within, key }: Asked): Promise<Answer> {
  const url = basePath(endpoint) + endpoint.path;
  const contentType = file?.name.toLowerCase().endsWith('.csv') ? importTypes.csv : importTypes.xlsx;
  const request = { method: 'POST' as const, url, contentType, body: null };
  const headers = headersFor(request, { session: sessionFor(endpoint), idempotencyKey: key });
  headers.set(IMPORT_HEADER, mode);
  headers.set(IMPORT_WITH_HEADER, encodeURIComponent(JSON.stringify({ ...within, ...given })));
  try {
    const response = await fetch(url, { method: 'POST', headers, body: file ?? null, credentials: 'omit' });
    return { status: response.status, body: (await response.json().catch(() => null)) as unknown };
  } catch {
    throw new CallFailed('没有收到系统的答复，请检查网络后重试', false);
  }
}

/** Asks as whoever is signed in, with a session renewed and a code asked for where that is what it takes. */
async function asked(question: Asked): Promise<Answer> {
  const answer = await ask(question);
  const session = sessionFor(question.endpoint);
  if (session && codeOf(answer) === failures.unauthenticated.code && (await refreshSession(session)))
    return asked(question);
  if (codeOf(answer) === failures.stepUpNeeded.code && (await askForCode())) return ask(question);
  return answer;
}

/** An empty table to be filled in, as a workbook. Refusals are thrown as `CallFailed`. */
export async function fetchTemplate(given: Given): Promise<Blob> {
  const finished = startLoading();
  try {
    const { workbook } = openEnvelope<ImportTemplate>(await asked({ ...given, mode: 'template' }));
    return new Blob([Uint8Array.from(atob(workbook), (sign) => sign.charCodeAt(0))], {
      type: importTypes.xlsx,
    });
  } finally {
    finished();
  }
}

const isReport = (data: unknown): data is ImportReport =>
  typeof data === 'object' && data !== null && 'faults' in data && Array.isArray(data.faults);

/** Has a table checked, or imported; what is wrong with it comes back in the report. Other refusals are thrown as `CallFailed`. */
export async function sendTable(table: TableToSend): Promise<{ report: ImportReport; done: boolean }> {
  const finished = startLoading();
  try {
    const answer = await asked({ ...table, mode: table.key === undefined ? 'check' : 'keep' });
    const told = envelopeOf(answer)?.data;
    if (isReport(told) && told.faults.length > 0) return { report: told, done: false };
    const report = openEnvelope<ImportReport>(answer);
    return { report, done: table.key !== undefined };
  } finally {
    finished();
  }
}
