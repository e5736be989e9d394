import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ControlledTransaction, sql } from 'kysely';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type ExportFormat, exportFormats, isExportable, PROGRESS_HEADER } from '#contract/export-formats.ts';
import type { Db, Tables } from '#server/db/database.ts';
import { exportList, type ListExport, type Piece } from '#server/features/exports/export-list.ts';
import { Refusal } from '#server/refusal.ts';
import { recordChange } from './change-record.ts';
import { type Call, queryOn, recordOf, type Services } from './execute.ts';
import type { Context } from './handler.ts';
import { apiHeaders } from './security-headers.ts';

/** How a list is read: its handler with the caller's input and the page asked for. */
type ReadPage = (context: Context, paging: object) => Promise<unknown>;

/** Each holds a connection and a snapshot of the database for as long as its caller takes to read. */
const AT_ONCE = 3;
/** A caller that takes nothing for so long has gone. */
const STALLED_MS = 60_000;

const running = new Set<Readable>();
let starting = 0;

/** The file format that a request for this list asks for in place of JSON. */
export function exportFormatOf(endpoint: AnyEndpoint, request: FastifyRequest): ExportFormat | undefined {
  const accept = request.headers.accept ?? '';
  if (accept.includes(exportFormats.csv) && isExportable(endpoint)) return 'csv';
  return accept.includes(exportFormats.xlsx) && isExportable(endpoint) ? 'xlsx' : undefined;
}

/** 分页查询新闻 and 查询新闻 are lists of 新闻. */
const nameOf = ({ summary }: AnyEndpoint): string => summary.replace(/^(分页)?查询/, '');

/** One unchanging view of the data, that outlives the pauses of a slow reader. */
async function openSnapshot(db: Db): Promise<ControlledTransaction<Tables>> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  await sql`select set_config('idle_in_transaction_session_timeout', ${`${2 * STALLED_MS}ms`}, true)`.execute(
    snapshot,
  );
  return snapshot;
}

function framed({ rows, bytes }: Piece): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(rows, 0);
  head.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/** The pieces as they go out. The snapshot ends with them, finished or not. */
async function* bodyOf(list: ListExport, frames: boolean, over: () => Promise<unknown>, alive: () => void) {
  try {
    for await (const piece of list.pieces()) {
      alive();
      yield frames ? framed(piece) : piece.bytes;
    }
  } finally {
    await over();
  }
}

function streamOf(list: ListExport, frames: boolean, over: () => Promise<unknown>): Readable {
  const stalled = setTimeout(() => stream.destroy(new Error('nobody reads the export')), STALLED_MS);
  const stream = Readable.from(
    bodyOf(list, frames, over, () => stalled.refresh()),
    { objectMode: false, highWaterMark: 262_144 },
  );
  running.add(stream);
  stream.once('close', () => {
    clearTimeout(stalled);
    running.delete(stream);
    // A stream that nobody ever read has not begun its body, whose end would see to it.
    void over();
  });
  return stream;
}

/** Opens the snapshot and reads the first page in it; a refusal or failure leaves nothing open. */
async function beginOn(pool: Db, services: Services, call: Call, read: ReadPage, format: ExportFormat) {
  const db = await openSnapshot(pool);
  let ended: Promise<unknown> | undefined;
  const over = () => (ended ??= db.rollback().execute());
  const { endpoint } = call;
  const readPage = (paging: object) =>
    queryOn(services, { ...call, run: (context) => read(context, paging), recorded: true }, db);
  try {
    const list = await exportList({ endpoint, format, name: nameOf(endpoint), db, read: readPage });
    return { list, over };
  } catch (error) {
    await over();
    throw error;
  }
}

async function begin(services: Services, call: Call, read: ReadPage, format: ExportFormat) {
  if (running.size + starting >= AT_ONCE) throw new Refusal('exportsBusy');
  starting++;
  try {
    return await services.reads.snapshot((pool) => beginOn(pool, services, call, read, format));
  } finally {
    starting--;
  }
}

/** A moment on the platform's clock, in digits only: what a file is named after is what its rows are dated by. */
const stampOf = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(moment)
    .replace(/\D/g, '');

/** Answers a list as a file: the whole of it, streamed, and written down in the record like a change. */
export async function sendExport(
  services: Services,
  call: Call,
  read: ReadPage,
  format: ExportFormat,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { list, over } = await begin(services, call, read, format);
  const name = nameOf(call.endpoint);
  const noted = { ...call, endpoint: { ...call.endpoint, summary: `导出${name}` } };
  try {
    await recordChange(services.db, recordOf(noted, {}, 'SUCCESS', `共 ${list.total} 行`));
  } catch (error) {
    await over();
    throw error;
  }
  const frames = request.headers[PROGRESS_HEADER] !== undefined;
  const file = encodeURIComponent(`${name}-${stampOf(call.now, services.config.timeZone)}.${format}`);
  return reply
    .headers({
      ...apiHeaders,
      'content-type': frames ? 'application/octet-stream' : `${exportFormats[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="export.${format}"; filename*=UTF-8''${file}`,
      [PROGRESS_HEADER]: String(list.total),
    })
    .send(streamOf(list, frames, over));
}

/** When the server stops, files that are not done break off, which their readers see. */
export function endExportsWith(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    for (const stream of running) stream.destroy(new Error('the server stops'));
  });
}
