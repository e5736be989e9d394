import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { type ExportFormat, exportFormats, PROGRESS_HEADER } from '#contract/export-formats.ts';
import { requestFor, type WireRequest } from '#contract/request.ts';
import { CallFailed, noAnswer } from './call-failed.ts';
import { type Answer, answerOf, headersFor } from './exchange.ts';
import { openEnvelope } from './open-envelope.ts';
import type { Session } from './session.ts';
import { askSignedIn } from './signed-in.ts';

/** How far a download is: rows so far, of how many. */
export interface Progress {
  readonly rows: number;
  readonly total: number;
}

interface DownloadOptions {
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** A file that has come whole. */
export interface Download {
  readonly name: string;
  readonly blob: Blob;
  readonly rows: number;
}

const FRAME_HEAD = 8;
/** What has come is handed to the browser in parts of this size, which it may keep on disk. */
const PART_BYTES = 8 * 1_048_576;

/** An answer that may be a file. */
interface FileAnswer extends Answer {
  readonly file?: Response;
}

async function ask(
  request: WireRequest,
  session: Session | null,
  { format, signal }: DownloadOptions,
): Promise<FileAnswer> {
  const headers = headersFor(request, { session });
  headers.set('Accept', exportFormats[format]);
  headers.set(PROGRESS_HEADER, '1');
  try {
    const { method, url, body } = request;
    const sent = { method, headers, body, signal, credentials: 'omit', cache: 'no-store' } as const;
    const response = await fetch(url, sent);
    const isFile = response.status === 200 && response.headers.has(PROGRESS_HEADER);
    return isFile ? { status: 200, body: null, file: response } : await answerOf(response);
  } catch (error) {
    if (signal.aborted) throw error;
    throw noAnswer();
  }
}

const nameIn = (response: Response): string => {
  const named = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return named ? decodeURIComponent(named) : 'export';
};

/** Takes frames apart as they come: the rows so far, and the bytes of the file. */
function frameReader(onFrame: (rows: number, bytes: Uint8Array<ArrayBuffer>) => void) {
  let rest = new Uint8Array(0);
  return (chunk: Uint8Array): boolean => {
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    const view = new DataView(bytes.buffer);
    let at = 0;
    while (at + FRAME_HEAD <= bytes.length) {
      const end = at + FRAME_HEAD + view.getUint32(at + 4);
      if (end > bytes.length) break;
      onFrame(view.getUint32(at), bytes.slice(at + FRAME_HEAD, end));
      at = end;
    }
    rest = bytes.slice(at);
    return rest.length === 0;
  };
}

/**
 * Fetches a whole list as a file, with the search it is shown by. Refusals are told by toast and thrown as `CallFailed`; so
 * is a file that broke off.
 */
export async function downloadList<E extends AnyEndpoint>(
  endpoint: E,
  input: WireInput<E>,
  options: DownloadOptions,
): Promise<Download> {
  const request = requestFor(endpoint, input);
  const { file: response, ...answer } = await askSignedIn(endpoint, { loading: false }, (session) =>
    ask(request, session, options),
  );
  if (!response) {
    openEnvelope(answer);
    throw new CallFailed('系统没有给出文件', false);
  }
  const total = Number(response.headers.get(PROGRESS_HEADER));
  const parts: Blob[] = [];
  let recent: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let rows = 0;
  const read = frameReader((soFar, bytes) => {
    rows = soFar;
    recent.push(bytes);
    size += bytes.length;
    if (size >= PART_BYTES) {
      parts.push(new Blob(recent));
      recent = [];
      size = 0;
    }
    options.onProgress({ rows, total });
  });
  let whole = true;
  try {
    const reader = response.body?.getReader();
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      whole = read(piece.value);
  } catch (error) {
    if (options.signal.aborted) throw error;
    whole = false;
  }
  if (!whole || rows < total) throw new CallFailed('导出中断，文件不完整，请重试', false);
  return { name: nameIn(response), blob: new Blob([...parts, ...recent]), rows };
}

/** Hands a file to the browser, as if its link had been clicked. */
export function saveFile({ name, blob }: Pick<Download, 'name' | 'blob'>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken hold of the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
